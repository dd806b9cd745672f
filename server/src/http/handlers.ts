import type { operations } from '#openapi/schema.gen.ts'
import type { RequestContext } from './request-context.ts'

/** Every operation of the contract by name. */
export type OperationId = keyof operations

/**
 * What a handler receives: validated, with defaults filled in and numbers coerced, typed by the
 * contract.
 */
export interface HandlerRequest<Id extends OperationId> {
  readonly params: Params<operations[Id], 'path'>
  readonly query: Params<operations[Id], 'query'>
  /** Declared headers; names are lower case at run time, so read others through `context`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body<operations[Id]>
  readonly context: RequestContext
}

/**
 * One declared success: its status, its body and further headers. Refusals are thrown as `Problem`.
 */
type HandlerAnswer<Id extends OperationId> = Answers<ResponsesOf<operations[Id]>>

/**
 * A page, a file or a stream: sent as it is, with the common headers added where they are missing.
 */
export interface RawAnswer {
  readonly raw: Response
}

type Handler<Id extends OperationId> = (
  request: HandlerRequest<Id>,
) => Promise<HandlerAnswer<Id> | RawAnswer>

/** One function an operation; a route file builds a part of it (`satisfies Partial<Handlers>`). */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> }

type SuccessStatus = 200 | 201 | 202 | 204 | 206 | 302 | 303 | 304

type Params<O, Where extends 'path' | 'query'> = O extends { parameters: infer P }
  ? Where extends keyof P
    ? [NonNullable<P[Where]>] extends [never]
      ? Record<string, never>
      : NonNullable<P[Where]>
    : Record<string, never>
  : Record<string, never>

type Body<O> = O extends { requestBody: { content: infer C } }
  ? C[keyof C]
  : O extends { requestBody?: { content: infer C } | undefined }
    ? C[keyof C] | undefined
    : undefined

type ResponsesOf<O> = O extends { responses: infer R } ? R : never

interface AnswerHeaders {
  readonly headers?: Readonly<Record<string, string>>
}

type Answers<R> = {
  [S in keyof R & SuccessStatus]: R[S] extends { content: infer C }
    ? { readonly status: S; readonly body: C[keyof C] } & AnswerHeaders
    : { readonly status: S; readonly body?: undefined } & AnswerHeaders
}[keyof R & SuccessStatus]
