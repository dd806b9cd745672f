import type { ErrorObject } from 'ajv'
import type { Deps } from '#server/deps.ts'
import { createAnswerCheck } from './answer-check.ts'
import { letOthersRun, NO_BODY, readBody, type ReadBody } from './body.ts'
import type { CallBudget } from './call-budget.ts'
import type { Contract, ContractOperation } from './contract.ts'
import type { Handlers, RawAnswer } from './handlers.ts'
import { answerOnce } from './idempotency.ts'
import { signedOut, type RequestContext } from './request-context.ts'
import { fieldsOf } from './validation-fields.ts'
import { refuseForeignOrigin, refuseWrongXsrfToken } from './xsrf.ts'
import { again } from '#server/db/unseen-restart.ts'
import { Problem } from '#server/problems.ts'

interface PlainAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
interface LooseRequest {
  readonly params: unknown
  readonly query: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly context: RequestContext
}
// The contract types each handler. Routing by name loses that type; the validation below makes it
// true again.
type LooseHandler = (request: LooseRequest) => Promise<PlainAnswer | RawAnswer>

/** Ids of a refused body are looked for this far; no call of the app has them later. */
const MOST_REFUSED_BYTES = 64 * 1024

/** What the frame needs to run the operations of the contract. */
interface DispatchParts {
  readonly deps: Deps
  readonly contract: Contract
  readonly handlers: Partial<Handlers>
  readonly budget: CallBudget
  readonly onRefusal: OnRefusal
}

/** Is told what a call ended with, before its answer; must not throw. */
export type OnRefusal = (call: {
  readonly thrown: unknown
  readonly operation: string
  readonly context: RequestContext
  /** Its path and the beginning of its body. */
  readonly texts: readonly string[]
}) => Promise<void>

/** One request on its way to its handler. */
interface Call {
  readonly operation: ContractOperation
  readonly url: URL
  readonly context: RequestContext
  readonly body: ReadBody
}

/**
 * Runs one operation: rights, origin, body, validation, the handler, and the check of its answer.
 * Refuses by throwing `Problem`.
 */
export function createDispatch({ deps, contract, handlers, budget, onRefusal }: DispatchParts) {
  const handlersById: Readonly<Record<string, unknown>> = { ...handlers }
  const checkAnswer = createAnswerCheck(deps, contract)

  return async (
    operation: ContractOperation,
    request: Request,
    context: RequestContext,
  ): Promise<Response> => {
    const url = new URL(request.url)
    const given = [Buffer.from(decodeURIComponent(url.pathname))]
    try {
      if (context.user === null) budget.ofStranger(context.clientNetwork)
      refuseForbidden(deps, operation, context)
      if (context.user !== null) budget.ofAccount(context.user.id)
      const body = await bodyOf(request, operation)
      given.push(Buffer.from(body.bytes.subarray(0, MOST_REFUSED_BYTES)))
      return await run({ operation, url, context, body })
    } catch (thrown) {
      const texts = given.map((each) => each.toString())
      await onRefusal({ thrown, operation: operation.id, context, texts })
      throw thrown
    }
  }

  async function run(call: Call): Promise<Response> {
    const { operation, context, body } = call
    const handler = handlersById[operation.id]
    if (typeof handler !== 'function')
      throw new Problem('system/not-built', 'This part of Onecut is not available yet.')
    const validated = validate(contract, call)
    await letOthersRun(body.bytes)
    const once = async () =>
      await runOnce(deps, call, () =>
        (handler as LooseHandler)({
          ...validated,
          headers: context.headers,
          body: body.value,
          context,
        }),
      )
    const answer = mayRunAgain(call)
      ? await again(once, () => !context.signal.aborted)
      : await once()
    if ('raw' in answer) return answer.raw
    // What the client will see: dates as text, absent instead of undefined.
    const json = answer.body === undefined ? null : JSON.stringify(answer.body)
    checkAnswer(operation, { status: answer.status, json })
    return toResponse(answer, json)
  }
}

async function bodyOf(request: Request, operation: ContractOperation): Promise<ReadBody> {
  return operation.method === 'get' ? NO_BODY : await readBody(request, operation)
}

/** Refuses a call without a session that needs one, and a write that another site's page sent. */
function refuseForbidden(deps: Deps, operation: ContractOperation, context: RequestContext): void {
  if (operation.method !== 'get')
    refuseForeignOrigin({ headers: context.headers, publicOrigin: deps.settings.publicOrigin })
  if (operation.needsSession) refuseOtherSession(context)
  if (operation.checksXsrf && context.sessionId !== null)
    refuseWrongXsrfToken(context.headers, deps.secrets, context.sessionId)
}

/**
 * Refuses a call without a session, or in the session of another user than the one that it names:
 * a page and its workers share their cookies with a tab in which another person has just signed in.
 */
function refuseOtherSession({ user, headers }: RequestContext): void {
  if (user === null) throw signedOut()
  const expectedId = headers['x-user-id']
  if (expectedId !== undefined && expectedId !== user.id)
    throw new Problem('auth/other-user', 'Another account is logged in now. Log in again.')
}

/** The parameters of a call, coerced to their types; refuses what the contract does not allow. */
function validate(
  contract: Contract,
  { operation, url, context, body }: Call,
): { params: unknown; query: unknown } {
  const values = contract.paths.valuesIn(url.pathname, operation.path)
  const path = Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)])
  const checked = contract.checkRequest(operation, {
    path: Object.fromEntries(path) as Record<string, string>,
    query: queryOf(url, operation),
    // A copy, in which numbers become numbers.
    headers: { ...context.headers },
    body: body.value,
    bodyValues: body.values,
  })
  if (checked.kind === 'fits') return checked
  throw checked.errors.some(isAboutPath)
    ? new Problem('request/not-found', 'There is nothing here.')
    : invalid(checked.errors)
}

/**
 * Whether a call is made to be repeated, so that it may also be run again when it cannot be known
 * what of it has remained ([Note: unseen restart] in db/unseen-restart.ts).
 */
function mayRunAgain({ operation, context }: Call): boolean {
  return operation.method === 'get' || keyOf(operation, context) !== undefined
}

/** The `Idempotency-Key` by which a call is kept; undefined without one. */
function keyOf(operation: ContractOperation, context: RequestContext): string | undefined {
  const isKept = operation.declaresIdempotencyKey && context.user !== null
  return isKept ? context.headers['idempotency-key'] : undefined
}

/** Runs a call once for its `Idempotency-Key`, if the operation declares one and it is sent. */
async function runOnce(
  deps: Deps,
  { operation, url, context, body }: Call,
  run: () => Promise<PlainAnswer | RawAnswer>,
): Promise<PlainAnswer | RawAnswer> {
  const key = keyOf(operation, context)
  if (key === undefined || context.user === null) return await run()
  const request = {
    userId: context.user.id,
    operation: operation.id,
    key,
    path: url.pathname,
    bytes: body.bytes,
  }
  return await answerOnce(deps, request, context.signal, async () => {
    const answer = await run()
    if ('raw' in answer)
      throw new Error(`${operation.id} streams its answer and cannot be repeated by key`)
    return { status: answer.status, body: answer.body }
  })
}

/**
 * Parameters by name; repeated names become lists, as in `?id=1&id=2`. Of names that the operation
 * does not have the first is enough to refuse the call, so the rest is not read.
 */
function queryOf(url: URL, { queryNames }: ContractOperation): Record<string, string | string[]> {
  const given = new Map<string, string[]>()
  for (const [name, text] of url.searchParams) {
    // NUL is in no stored text, so it finds nothing; the database would call it an error.
    const value = text.replaceAll('\0', '')
    const others = given.get(name)
    if (others === undefined) given.set(name, [value])
    else others.push(value)
    if (!queryNames.includes(name)) break
  }
  return Object.fromEntries(
    [...given].map(([name, values]) => [
      name,
      values.length === 1 && values[0] !== undefined ? values[0] : values,
    ]),
  )
}

// An id that cannot be one answers exactly like one that does not exist.
function isAboutPath(error: ErrorObject): boolean {
  return error.instancePath.startsWith('/path/')
}

function invalid(errors: readonly ErrorObject[]): Problem {
  const fields = fieldsOf(errors)
  const [first] = Object.entries(fields)
  const hint = first === undefined ? '' : ` (${first[0]} ${first[1]})`
  return new Problem('request/invalid', `Some of the input could not be accepted${hint}.`, {
    fields,
  })
}

function toResponse({ status, body, headers: own }: PlainAnswer, json: string | null): Response {
  const headers = new Headers(own)
  if (typeof body === 'string' && headers.has('content-type'))
    return new Response(body, { status, headers })
  if (json !== null) headers.set('content-type', 'application/json; charset=utf-8')
  return new Response(json, { status, headers })
}
