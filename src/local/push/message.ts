import * as v from 'valibot'

/**
 * A push as the server writes it, in the declarative form (W3C Push API): Safari shows it by
 * itself, and the service worker of other browsers by the same fields.
 */
const pushMessage = v.object({
  web_push: v.literal(8030),
  notification: v.object({
    title: v.string(),
    /** Address of the page that it leads to. */
    navigate: v.pipe(v.string(), v.url()),
    /** Of pushes with one tag the device shows the last. */
    tag: v.string(),
    data: v.object({
      userId: v.string(),
      /** Paths of pages that show what it tells. */
      shownOn: v.array(v.string()),
    }),
  }),
  app_badge: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type PushMessage = v.InferOutput<typeof pushMessage>

/** The message, or null for anything else. */
export function parsePush(text: string): PushMessage | null {
  try {
    const parsed = v.safeParse(pushMessage, JSON.parse(text))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

/** A page of the app that is open, as a service worker sees it. */
export interface OpenPage {
  readonly url: string
  readonly visibilityState: DocumentVisibilityState
}

/** Whether a page that shows what the message tells is in sight: then it says nothing new. */
export function isInSight(
  { notification: { data } }: PushMessage,
  pages: readonly OpenPage[],
): boolean {
  return pages.some(
    ({ url, visibilityState }) =>
      visibilityState === 'visible' && data.shownOn.includes(new URL(url).pathname),
  )
}

/** Where a press on the notification leads; the library, if it is another origin's address. */
export function targetOf(navigate: unknown, origin: string): URL {
  const url = typeof navigate === 'string' ? URL.parse(navigate, origin) : null
  return url?.origin === origin ? url : new URL('/edits', origin)
}
