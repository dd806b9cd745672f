import type { ChannelPort } from '#src/local/channel/channel.ts'

/**
 * BroadcastChannel of one origin, delivered at once: each call opens a port; a sender does not hear
 * itself.
 */
export function createFakeChannelPorts(): () => ChannelPort {
  const ports = new Map<ChannelPort, Set<(event: MessageEvent) => void>>()
  return () => {
    const listeners = new Set<(event: MessageEvent) => void>()
    const port: ChannelPort = {
      postMessage: (message) => {
        const event = new MessageEvent('message', { data: structuredClone(message) })
        for (const [other, heard] of ports)
          if (other !== port) for (const listener of heard) listener(event)
      },
      addEventListener: (_type, listener) => void listeners.add(listener),
      removeEventListener: (_type, listener) => void listeners.delete(listener),
      close: () => void ports.delete(port),
    }
    ports.set(port, listeners)
    return port
  }
}
