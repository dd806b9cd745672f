/** A device that takes messages, as its browser gave it. Keys are base64url. */
export interface PushTarget {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** One message to a device. */
export interface PushMessage {
  /** At most 32 letters of base64url: a push service keeps only the last one of a topic. */
  readonly topic: string
  /** What the browser reads, JSON. */
  readonly payload: string
  /** For how long the push service keeps it for a device that is away. */
  readonly ttlS: number
}

/** What a push service says to a message. */
export type PushAnswer =
  | { readonly kind: 'taken' }
  /** The device takes no messages any more. */
  | { readonly kind: 'gone' }
  /** It never takes this one. `why` is a status or a fault, and names no endpoint. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Not now; null where it does not say for how long. */
  | { readonly kind: 'busy'; readonly retryAfterS: number | null }

/** Sends messages to devices by the push services of their browsers (Web Push, RFC 8030). */
export interface PushService {
  /** With it browsers subscribe to messages of this server alone (RFC 8292), base64url. */
  readonly publicKey: string
  /** Whether messages can go there at all: an allowed https host, and a key of the curve. */
  mayTake(target: PushTarget): boolean
  /** Throws what is a bug; a push service that is away is `busy`. */
  send(target: PushTarget, message: PushMessage): Promise<PushAnswer>
}
