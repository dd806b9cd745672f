import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { makeOddSource } from '#tests/fixtures/odd-sources/kinds.ts'
import { ODD_SOURCES } from '#tests/fixtures/odd-sources/list.ts'
import { streamsOf, type Streams } from '#tests/integration/recipes/measure.ts'
import { startChromium } from '#tests/setup/device-page.ts'
import { startFirefox } from '#tests/setup/firefox.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { editOdd, knowSource, type KnownSource } from '#tests/setup/odd-edits.ts'

// Rendering takes its time on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 })

const SLUGS = Object.keys(recipes)
const TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  html: 'text/html',
}
const PAGE = '<!doctype html><title>Player</title><link rel="icon" href="data:,">'
const typeOf = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? ''

let folder = ''
let server: Server
let origin = ''
let ffmpeg: Ffmpeg
let source: KnownSource
/** The files of each edit that is made already. */
const made = new Map<string, readonly string[]>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playback-'))
  ffmpeg = await testFfmpeg()
  const odd = ODD_SOURCES.find(({ name }) => name === 'three-seconds.mp4')
  if (odd === undefined) throw new Error('The source is gone')
  const known = await knowSource(ffmpeg, odd, await makeOddSource(odd, ODD_SOURCES), folder)
  if (typeof known === 'string') throw new Error(known)
  source = known
  server = createServer((request, response) => void serve(request.url ?? '', request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** What a browser shows of an edit, which is made once for all browsers. */
async function filesOf(slug: string): Promise<readonly string[]> {
  const files = made.get(slug)
  if (files !== undefined) return files
  const verdict = await editOdd(ffmpeg, slug, source, folder)
  if (verdict.kind !== 'made') throw new Error(`${slug}: ${verdict.why}`)
  made.set(
    slug,
    verdict.files.filter((file) => typeOf(file) !== ''),
  )
  return await filesOf(slug)
}

/** A file of `folder`, also a part of it, as players ask for it. */
async function serve(
  url: string,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (url === '/') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    return
  }
  const bytes = await readFile(join(folder, decodeURIComponent(url)))
  const [, first = '0', last = ''] = /bytes=(\d+)-(\d*)/.exec(headers.range ?? '') ?? []
  const end = last === '' ? bytes.length - 1 : Number(last)
  response.writeHead(headers.range === undefined ? 200 : 206, {
    'content-type': typeOf(url),
    'content-length': end - Number(first) + 1,
    'accept-ranges': 'bytes',
    ...(headers.range !== undefined && {
      'content-range': `bytes ${first}-${end}/${bytes.length}`,
    }),
  })
  response.end(bytes.subarray(Number(first), end + 1))
}

interface Played {
  readonly width: number
  readonly height: number
  readonly durationS: number
  readonly hasSound: boolean
}

/** Plays a video from its start and from its middle, each until time has gone on. */
async function play(page: Page, url: string): Promise<Played> {
  return await page.evaluate(async (src) => {
    const video = document.createElement('video')
    const until = async (event: string, isTrue = (): boolean => true): Promise<void> =>
      await new Promise((resolve, reject) => {
        video.addEventListener('error', () => reject(new Error(video.error?.message ?? 'error')))
        const look = (): void => {
          if (!isTrue()) return
          video.removeEventListener(event, look)
          resolve()
        }
        video.addEventListener(event, look)
      })
    // Without sound browsers let a page play by itself; it is decoded all the same.
    video.muted = true
    video.src = src
    document.body.append(video)
    await until('loadedmetadata')
    const middle = video.duration / 2
    const isOn = until('timeupdate', () => video.currentTime > Math.min(0.3, middle / 2))
    await video.play()
    await isOn
    video.pause()
    const isThere = until('seeked')
    video.currentTime = middle
    await isThere
    const isLater = until('timeupdate', () => video.currentTime > middle)
    await video.play()
    await isLater
    const sound = video as unknown as {
      readonly webkitAudioDecodedByteCount?: number
      readonly mozHasAudio?: boolean
    }
    const facts = {
      width: video.videoWidth,
      height: video.videoHeight,
      durationS: video.duration,
      hasSound: sound.mozHasAudio ?? (sound.webkitAudioDecodedByteCount ?? 0) > 0,
    }
    video.remove()
    return facts
  }, url)
}

/** Decodes a picture as the page shows it. */
async function show(page: Page, url: string): Promise<Pick<Played, 'width' | 'height'>> {
  return await page.evaluate(async (src) => {
    const image = new Image()
    image.src = src
    await image.decode()
    return { width: image.naturalWidth, height: image.naturalHeight }
  }, url)
}

describe.each([
  { name: 'Chromium', start: startChromium },
  { name: 'Firefox', start: startFirefox },
])('$name', ({ start }) => {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    browser = await start()
    page = await browser.newPage()
    await page.goto(origin)
  })
  afterAll(async () => {
    await browser.close()
  })

  it.each(SLUGS)(
    'REC-28 plays what %s makes, at its size, from its start and its middle',
    async (slug) => {
      const files = await filesOf(slug)
      expect(files.length).toBeGreaterThan(0)
      for (const file of files) {
        const stored: Streams = await streamsOf(file)
        const url = `${origin}/${file.slice(folder.length + 1)}`
        const size = { width: stored.video?.width, height: stored.video?.height }
        if (typeOf(file) !== 'video/mp4') {
          expect(await show(page, url), basename(file)).toEqual(size)
          continue
        }
        const played = await play(page, url)
        expect(played, basename(file)).toMatchObject({
          ...size,
          hasSound: stored.audio !== undefined,
        })
        expect(Math.abs(played.durationS - stored.durationS), basename(file)).toBeLessThan(0.1)
      }
    },
  )
})
