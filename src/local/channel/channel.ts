import { parseMessage, type ChannelMessage, type MessageOf, type MessageType } from './messages.ts'
import type { Log } from '#src/lib/log.ts'

export const CHANNEL_NAME = 'onecut'

/** The line between all contexts of this origin. A sender does not hear itself. */
export interface Channel {
  send(message: ChannelMessage): void
  /** Listens to one type; returns the function that ends it. */
  on<T extends MessageType>(type: T, listener: (message: MessageOf<T>) => void): () => void
  close(): void
}

/** The part of BroadcastChannel that is used. */
export interface ChannelPort {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  close(): void
}

/**
 * A channel over a port; unknown messages (another version's tab) are dropped and logged. Close it
 * at the end.
 */
export function createChannel(deps: { readonly port: ChannelPort; readonly log: Log }): Channel {
  const listeners = new Set<(message: ChannelMessage) => void>()
  const receive = (event: MessageEvent): void => {
    const message = parseMessage(event.data)
    if (message === null) deps.log.warn('dropped an unknown message')
    else for (const listener of listeners) listener(message)
  }
  deps.port.addEventListener('message', receive)
  return {
    send: (message) => deps.port.postMessage(message),
    on: (type, listener) => {
      const filtered = (message: ChannelMessage): void => {
        if (isOfType(message, type)) listener(message)
      }
      listeners.add(filtered)
      return () => void listeners.delete(filtered)
    },
    close: () => {
      deps.port.removeEventListener('message', receive)
      listeners.clear()
      deps.port.close()
    },
  }
}

/** The real port of the running context. */
export function openChannelPort(): ChannelPort {
  return new BroadcastChannel(CHANNEL_NAME)
}

function isOfType<T extends MessageType>(
  message: ChannelMessage,
  type: T,
): message is MessageOf<T> {
  return message.type === type
}
