import type { BrowserGetter } from '#src/local/kept/by-browser.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { iconOfPage, openPageFetches } from './page-fetches.ts'

/**
 * A browser that asks the person whether it may has not answered by then. Leaving the device does
 * not wait for longer either.
 */
const ANSWER_WITHIN_MS = 5 * SECOND_MS

/** Background Fetch for files that are kept; null where there is none. */
export function createBackgroundGetter(): BrowserGetter | null {
  const fetches = openPageFetches()
  if (fetches === null) return null
  const { manager } = fetches
  const running = (id: string) => fetches.running(id).catch(() => null)
  return {
    mayBegin: () => navigator.userActivation.isActive,
    begin: async (id, request, downloadTotal) => {
      const options = { title: TITLE, icons: [iconOfPage()], downloadTotal }
      const begun = manager().then((found) => found?.fetch(id, [request], options))
      const registration = await inTime(begun).catch(() => undefined)
      if (registration !== undefined) return true
      // What begins after all is not wanted any more.
      void begun.then((found) => found?.abort()).catch(() => undefined)
      return false
    },
    comeBytes: async (id) => (await running(id))?.downloaded ?? null,
    end: async (idPrefix) => {
      const endAll = async (): Promise<void> => {
        const ids = (await (await manager())?.getIds()) ?? []
        for (const id of ids.filter((each) => each.startsWith(idPrefix)))
          await running(id)
            .then((registration) => registration?.abort())
            .catch(() => false)
      }
      await inTime(endAll()).catch(() => undefined)
    },
  }
}

/** Undefined where the browser does not answer. */
async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, ANSWER_WITHIN_MS)
  })
  return Promise.race([answer, late])
}

/** In a notice of the system while the browser gets it: it names no video, as messages do. */
const TITLE = 'Getting a file'
