import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChromium } from '#tests/setup/device-page.ts'
import {
  filesByServer,
  inspect,
  likenessOf,
  openDeviceEdits,
  type DeviceEdits,
  type MadeSource,
} from '#tests/setup/made-edits.ts'

interface MadeIn {
  readonly browser: string
  readonly start: typeof startChromium
}

/** How like those of the server pictures must be that were scaled, and then given few colours. */
const LIKE: Readonly<Record<string, number>> = { mjpeg: 0.995, gif: 0.97, h264: 0.97 }

/** How stills and GIFs that a browser makes are like those of the server. */
export function describeMadePictures(
  slugs: readonly string[],
  video: MadeSource,
  { browser, start }: MadeIn = { browser: 'Chromium', start: startChromium },
): void {
  describe(`edits of pictures of ${video} that ${browser} makes`, () => {
    let edits: DeviceEdits
    beforeAll(async () => {
      edits = await openDeviceEdits(start)
    })
    afterAll(() => edits.close())

    it.each(slugs)('NOW-05 %s has the files of the server, picture by picture', async (slug) => {
      const made = await edits.make(video, slug)
      const server = Object.entries(await filesByServer(video, slug, made.source))
      // The app packs what a person saves together.
      const wanted = server.filter(([name]) => !name.endsWith('.zip'))
      expect(Object.keys(made.paths)).toEqual(wanted.map(([name]) => name))
      // The first of many stills is the sheet, which shows them all.
      for (const [name, its] of wanted.slice(0, 4)) {
        const own = made.paths[name] ?? ''
        const facts = await factsOf(own)
        expect(facts, name).toEqual(await factsOf(its))
        const likeness = await likenessOf(own, its)
        const least = LIKE[String(facts[0]?.['codec_name'])]
        for (const plane of ['Y', 'U', 'V'] as const)
          expect(likeness[plane], `${name} ${plane}`).toBeGreaterThanOrEqual(least ?? 1)
      }
      // The last report may come behind the answer.
      expect(made.progress.at(-1)?.share).toBeGreaterThan(0)
    })
  })
}

const FACTS = ['codec_name', 'width', 'height', 'nb_frames', 'r_frame_rate', 'pix_fmt']

async function factsOf(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { streams } = await inspect(path)
  return streams.map((stream) => ({
    ...Object.fromEntries(FACTS.map((fact) => [fact, stream[fact]])),
    tags: withoutCoding((stream['tags'] ?? {}) as Readonly<Record<string, string>>),
  }))
}

/** What the browser's film says of its encoder, as each film of its library does. */
function withoutCoding({ encoder, ...tags }: Readonly<Record<string, string>>) {
  return encoder === 'AVC Coding' ? tags : { ...tags, encoder }
}
