import { addAbortSignal } from 'node:stream'
import { readJson } from './read-json.ts'
import type { Outgoing } from './outgoing.ts'

/** What a service says to a form; `body` is null where it is no JSON or too long. */
interface FormAnswer {
  readonly status: number
  readonly body: unknown
}

/**
 * Sends a form to a service and reads its short answer. Throws `OutgoingError`, or a
 * `TimeoutError` when the answer is not whole in time.
 */
export type PostForm = (link: string, form: Readonly<Record<string, string>>) => Promise<FormAnswer>

/** From the first byte of the request to the last one of the answer. */
const LONGEST_ANSWER_MS = 10_000

/** Posts by the guarded fetch, and so to the hosts of `outgoing` only; no redirect is followed. */
export function createPostForm({ open }: Pick<Outgoing, 'open'>): PostForm {
  return async (link, form) => {
    const body = new URLSearchParams(form).toString()
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
    }
    const signal = AbortSignal.timeout(LONGEST_ANSWER_MS)
    const { message } = await open({ link, headers, signal, writes: { method: 'POST', body } })
    // The signal of a request ends no answer that is being read.
    addAbortSignal(signal, message)
    const answer = await readJson(message).catch(() => null)
    signal.throwIfAborted()
    return { status: message.statusCode ?? 0, body: answer }
  }
}
