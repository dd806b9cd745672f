import type { BrowserContext } from '@playwright/test'

const FORGET =
  'for (const name of ["VideoDecoder", "AudioDecoder", "VideoEncoder", "AudioEncoder", "ImageDecoder"]) delete globalThis[name];'

/**
 * Makes pages and media workers of a context behave as without WebCodecs, for which Chromium has no
 * switch. The context must block service workers, because their answers cannot be changed.
 */
export async function withoutWebCodecs(context: BrowserContext): Promise<void> {
  await context.addInitScript(FORGET)
  await context.route(/\/media\.worker[^/]*\.[jt]s(?:\?|$)/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `${FORGET}\n${await response.text()}` })
  })
}
