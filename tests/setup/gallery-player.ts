import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import type { Browser, Page } from 'playwright'
import { expect } from 'vitest'
import { streamsIn } from '#tests/integration/recipes/measure.ts'
import { exhibit, shownOfExhibit } from './gallery.ts'

/** A page of a browser that plays what the gallery has. */
export interface GalleryPlayer {
  /** Expects each file of an edit to play at its size, with its sound, from start and middle. */
  readonly expectPlays: (slug: string) => Promise<void>
  readonly close: () => Promise<void>
}

const TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  html: 'text/html',
}
const PAGE = '<!doctype html><title>Player</title><link rel="icon" href="data:,">'
const typeOf = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? ''

export async function openPlayer(start: () => Promise<Browser>): Promise<GalleryPlayer> {
  /** Files by the path of the address under which the page asks for them. */
  const served = new Map<string, string>()
  const server = createServer(
    (request, response) => void serve(served, request.url ?? '', request, response),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = await start()
  const page = await browser.newPage()
  await page.goto(origin)
  return {
    expectPlays: async (slug) => {
      const files = (await exhibit(slug)).files.filter((file) => typeOf(file) !== '')
      expect(files.length).toBeGreaterThan(0)
      for (const file of files) {
        const place = `/${slug}/${basename(file)}`
        served.set(place, file)
        await expectPlay(page, `${origin}${place}`, file)
      }
    },
    close: async () => {
      await browser.close()
      server.close()
    },
  }
}

async function expectPlay(page: Page, url: string, file: string): Promise<void> {
  const stored = streamsIn(await shownOfExhibit(file))
  const size = { width: stored.video?.width, height: stored.video?.height }
  if (typeOf(file) !== 'video/mp4') {
    expect(await show(page, url), basename(file)).toEqual(size)
    return
  }
  const played = await play(page, url)
  expect(played, basename(file)).toMatchObject({ ...size, hasSound: stored.audio !== undefined })
  expect(Math.abs(played.durationS - stored.durationS), basename(file)).toBeLessThan(0.1)
}

/** A file of the gallery, also a part of it, as players ask for it. */
async function serve(
  served: ReadonlyMap<string, string>,
  url: string,
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (url === '/') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    return
  }
  const bytes = await readFile(served.get(url) ?? '')
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
