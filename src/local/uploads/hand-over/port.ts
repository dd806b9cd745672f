import type { PartHeaders } from '#src/local/uploads/ports.ts'

/** A part as the browser sends it, by `PUT`. */
export interface HandedPart {
  /** Good for a day: the browser cannot ask for another one. */
  readonly url: string
  /** What `url` wants to be sent exactly so; null: the checksum alone. */
  readonly headers: PartHeaders | null
  readonly body: Blob
  readonly sha256: string
}

/** The browser's own sender, as a page has it. */
export interface BrowserSender {
  /**
   * Resolves when the browser has its own copy of all bodies: only then may the page close. False
   * when it refuses, mostly for lack of space.
   */
  send(uploadId: string, parts: readonly HandedPart[]): Promise<boolean>
  /** What the browser sends of an upload; null when it has ended, or never began. */
  sending(uploadId: string): Promise<BrowserSending | null>
}

export interface BrowserSending {
  /** So far, of all parts together. */
  readonly sentBytes: number
  /** Removes the browser's copy. Only while no byte is sent: see [Note: handing over]. */
  forget(): Promise<void>
}
