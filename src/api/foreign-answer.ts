import { answers } from '#openapi/answers.gen.ts'
import type { ApiFailure } from './errors.ts'

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
 * Throws a `ForeignAnswer` for a redirect, and for a success that is not the contract's: a page, or
 * JSON without the fields of this call. Errors pass; `httpFailure` looks at their code.
 * @param operation `GET /v1/orders/{orderId}`, as the contract writes it
 */
export async function refuseForeignSuccess(operation: string, response: Response): Promise<void> {
  const { status, type } = response
  const isRedirect = type === 'opaqueredirect' || (status >= 300 && status < 400)
  if (!response.ok && !isRedirect) return
  const text = isRedirect ? '' : await response.clone().text()
  if (!isRedirect && isOwnSuccess(operation, text)) return
  const looksLikePortal = isRedirect || text.trimStart().startsWith('<')
  throw new ForeignAnswer({ code: 'api/foreign', status, looksLikePortal })
}

function isOwnSuccess(operation: string, text: string): boolean {
  const fields = answers[operation]
  // A call that answers with a file; no code reads one through this client.
  if (fields === undefined) return true
  if (fields === null) return text === ''
  const body = jsonOf(text)
  return (
    typeof body === 'object' && body !== null && fields.every((field) => Object.hasOwn(body, field))
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
