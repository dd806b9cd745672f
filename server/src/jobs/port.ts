import type { Tx } from '#server/db/client.ts'

/**
 * Every kind of background work and what its message carries. A message only names a row to look
 * at.
 */
export interface JobKinds {
  'send-mail': { mailId: string }
  'send-push': { pushId: string }
  'know-video': { uploadRequestId: string }
  'validate-upload': { uploadRequestId: string }
  'import-upload': { uploadRequestId: string }
  'save-to-drive': { driveSaveId: string }
  'render-task': { taskId: string }
  'preview-asset': { uploadRequestId: string }
  'make-sample': { sampleId: string }
  'search-moments': { uploadRequestId: string }
  sweep: Record<string, never>
  'settle-payment': { provider: string; eventId: string }
  'payments-tick': Record<string, never>
  'audit-ledger': Record<string, never>
}
export type JobKind = keyof JobKinds

/**
 * How a kind is worked: `concurrency` per worker process, retries with exponential backoff, a
 * wall-clock limit.
 */
export interface JobOptions {
  readonly concurrency: number
  readonly retryLimit: number
  readonly expireInS: number
}

/**
 * One delivery. `signal` aborts when the job is cancelled or the worker stops. Deliveries repeat:
 * handlers are idempotent.
 */
export interface Delivery<K extends JobKind> {
  readonly id: string
  readonly data: JobKinds[K]
  readonly signal: AbortSignal
  readonly isLastAttempt: boolean
}

/**
 * The dispatcher (pg-boss). Exists once a process; a message sent in a rolled-back transaction was
 * never sent.
 */
export interface Queue {
  /**
   * Sends a message as part of `tx`. `singletonKey`: while one with this key waits, another is not
   * added. `atMostEveryS`: nor while another with this key was sent in the same
   * stretch of this many seconds, also when it has ended.
   */
  enqueue<K extends JobKind>(
    tx: Tx,
    kind: K,
    data: JobKinds[K],
    options?: { singletonKey?: string; startAfterS?: number; atMostEveryS?: number },
  ): Promise<void>
  /** The same for many messages of a kind in one statement, each under a key of its own. */
  enqueueAll<K extends JobKind>(
    tx: Tx,
    kind: K,
    messages: readonly { readonly data: JobKinds[K]; readonly singletonKey: string }[],
  ): Promise<void>
  /** Starts taking messages of a kind in this process. */
  work<K extends JobKind>(
    kind: K,
    options: JobOptions,
    handler: (delivery: Delivery<K>) => Promise<void>,
  ): Promise<void>
  /** Stops taking messages, aborts running deliveries, waits for them to let go. */
  stop(): Promise<void>
}
