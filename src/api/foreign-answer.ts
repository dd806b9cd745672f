import { answers } from '#openapi/answers.gen.ts'
import type { ApiFailure } from './errors.ts'
import { readAtMost } from '#src/lib/read-at-most.ts'

/** Ends a call whose answer does not count as the server's; `send` gives its `failure`. */
export class ForeignAnswer extends Error {
  readonly failure: ApiFailure & { readonly code: 'api/foreign' }

  constructor(failure: ForeignAnswer['failure']) {
    super(failure.code)
    this.name = 'ForeignAnswer'
    this.failure = failure
  }
}

/**
 * More than any answer of this server that is no file. The page holds no more of one, because what
 * answers in the place of the server may never come to an end.
 */
const MAX_ANSWER_BYTES = 32 * 1_048_576

/**
 * Reads an answer, and gives it as one that is read. Throws a `ForeignAnswer` for a redirect, for
 * more than the server ever says, and for a success that is not the contract's: a page, or JSON
 * without the fields of this call. Other errors pass; `httpFailure` looks at their code.
 * @param operation `GET /v1/orders/{orderId}`, as the contract writes it
 */
export async function readAnswer(operation: string, response: Response): Promise<Response> {
  const { status, statusText, headers, type, ok, body } = response
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) throw foreign(status, true)
  // A file is no JSON; who asked for it reads it.
  if (ok && answers[operation] === undefined) return response
  if (body === null) {
    if (ok) refuseForeign(operation, status, await response.text())
    return response
  }
  const bytes = await readAtMost(body, MAX_ANSWER_BYTES)
  if (bytes === null) throw foreign(status, false)
  if (ok) refuseForeign(operation, status, new TextDecoder().decode(bytes))
  return new Response(bytes, { status, statusText, headers })
}

function refuseForeign(operation: string, status: number, text: string): void {
  if (!isOwnSuccess(operation, text)) throw foreign(status, text.trimStart().startsWith('<'))
}

function foreign(status: number, looksLikePortal: boolean): ForeignAnswer {
  return new ForeignAnswer({ code: 'api/foreign', status, looksLikePortal })
}

function isOwnSuccess(operation: string, text: string): boolean {
  const fields = answers[operation]
  if (fields === undefined) return true
  if (fields === null) return text === ''
  const body = jsonOf(text)
  return (
    typeof body === 'object' && body !== null && fields.every((field) => Object.hasOwn(body, field))
  )
}

/** What a text of JSON says; null for all other texts. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
