import { parseMessage, type ChannelMessage, type MessageOf, type MessageType } from './messages.ts'
import type { Log } from '#src/lib/log.ts'

const CHANNEL_NAME = 'onecut'

/** Messages between all contexts of this origin. A sender does not receive its own messages. */
export interface Channel {
  send(message: ChannelMessage): void
  /** Listens to one message type; returns the function that stops listening. */
  on<T extends MessageType>(type: T, listener: (message: MessageOf<T>) => void): () => void
  close(): void
}

/** The members of BroadcastChannel that are used. */
export interface ChannelPort {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  close(): void
}

/**
 * Makes a channel over a port. Drops and logs unknown messages (a tab of another version). Close it
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

/** Opens the running context's port. */
export function openChannelPort(): ChannelPort {
  return new BroadcastChannel(CHANNEL_NAME)
}

function isOfType<T extends MessageType>(
  message: ChannelMessage,
  type: T,
): message is MessageOf<T> {
  return message.type === type
}
