/** A mail ready to send; both bodies say the same. */
export interface OutgoingMail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Where one press ends mails of this kind; left out = they are needed and cannot be ended. */
  readonly unsubscribeUrl?: string | null
}

/** A written mail, alike on each try, so that a repeated one is known for the same. */
interface QueuedMail extends OutgoingMail {
  /** UUID; the mail's Message-ID is made of it. */
  readonly id: string
  readonly writtenAt: Date
}

/** Delivers mail. `mode` says whether a local mailbox exists. */
export interface Mailer {
  readonly mode: 'smtp' | 'local-mailbox'
  /**
   * Delivers now or throws (the job retries). In local-mailbox mode the stored row is the delivery.
   */
  deliver(mail: QueuedMail): Promise<void>
}
