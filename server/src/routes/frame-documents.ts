/**
 * Documents that a page of the app shows in a frame, because they load scripts of others or take
 * payments.
 *
 * [Note: origin of frames] Where the server has a second host name, these documents are only of
 * that origin, which has no session cookie, no API and nothing else, so that a script in them that
 * turned bad reaches nothing of the account. `frame-doors.ts` are their addresses at the app's
 * origin; each leads to the document with a token for one opening (`accounts/frames/tokens.ts`),
 * and `frame-host.ts` answers there. Without a second name the doors answer with the documents.
 */
import type { Context } from 'hono'
import type { UserCtx } from '#server/context.ts'
import type { Deps } from '#server/deps.ts'
import { problemAnswer } from '#server/http/problem-answer.ts'
import type { FramePage, FramePlace } from '#server/framed.ts'

/** One kind of document at one path, the same at both origins. */
export interface FrameDocument {
  /** As the router reads it. */
  readonly path: string
  /** False where the server has no such document. */
  readonly isOffered: boolean
  /** The document for a person; refuses by throwing. */
  readonly open: (ctx: UserCtx, c: Context, place: FramePlace) => Promise<FramePage>
  /** Takes a form of the document; absent where it has none. */
  readonly press?: (ctx: UserCtx, c: Context) => Promise<void>
}

/** A document of the app's own origin, around which is a page of it. */
export const AT_APP: FramePlace = { appOrigin: null, formAction: null }

/** The answer with a document. Only the app may frame it. */
export function framePage(
  c: Context,
  { html, policy }: FramePage,
  { appOrigin }: FramePlace,
): Response | Promise<Response> {
  return c.html(html, 200, {
    'cache-control': 'no-store',
    'content-security-policy': [...policy, `frame-ancestors ${appOrigin ?? "'self'"}`].join('; '),
    'referrer-policy': 'no-referrer',
    // Names no other origin, so that where one is meant the policy alone says it.
    ...(appOrigin === null ? { 'x-frame-options': 'SAMEORIGIN' } : {}),
  })
}

/** What was thrown, as an answer. */
export function frameRefusal(deps: Pick<Deps, 'newId' | 'log'>, error: unknown): Response {
  const answer = problemAnswer(error, deps.newId(), deps.log)
  answer.headers.set('cache-control', 'no-store')
  return answer
}

/** What the address of a document says without a token, as it is signed. */
export function documentAddress(c: Context): { readonly path: string; readonly query: string } {
  const { pathname: path, search } = new URL(c.req.url)
  const query = new URLSearchParams(search)
  query.delete(TOKEN)
  return { path, query: query.toString() }
}

/** The part of the query that has the token. */
export const TOKEN = 'token'

/** An address with a token. */
export function withToken(query: string, token: string): string {
  const whole = new URLSearchParams(query)
  whole.set(TOKEN, token)
  return `?${whole.toString()}`
}
