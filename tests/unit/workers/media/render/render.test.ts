import { afterEach, expect, it, vi } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { encoderFor, startEncoder, type PictureEncoder } from '#workers/media/render/encode.ts'
import { picturesInTurn } from '#workers/media/render/frames.ts'
import type { Painted } from '#workers/media/render/draw.ts'
import { makeEditPictures } from '#workers/media/render/render.ts'
import type { MakeProgress } from '#src/local/made/make.ts'
import { pictureTurns } from '#recipes/picture-at.ts'

const never = new AbortController().signal
const PAL = { text: '25', value: 25 }
afterEach(() => vi.unstubAllGlobals())

const source = probe({ durationMs: 60_000, width: 1280, height: 720, frameRate: 25 })
function teaser() {
  const drawn = findRecipe('teaser-15s')?.drawing?.(source, undefined, { moments: [] })
  if (drawn?.ok !== true) throw new Error('no drawing')
  return drawn.value
}

/** A picture that says what it shows, and whether it is open. */
function picture(text: string, open: Set<string>): VideoFrame {
  open.add(text)
  const close = (): void => void open.delete(text)
  return { text, timestamp: 0, close } as unknown as VideoFrame
}
const textOf = (frame: VideoFrame): string => (frame as unknown as { text: string }).text

/** Paints in words. */
function painting(open: Set<string>) {
  const painted = (text: string, timestamp: number): VideoFrame =>
    Object.assign(picture(text, open), { timestamp })
  return {
    plain: async (frame: VideoFrame, _crop: unknown, { timestamp }: { timestamp: number }) =>
      painted(textOf(frame), timestamp),
    crossed: async (a: Painted, b: Painted, share: number, { timestamp }: { timestamp: number }) =>
      painted(`${textOf(a.frame)} ${share.toFixed(2)} ${textOf(b.frame)}`, timestamp),
    darkened: async (a: Painted, share: number, { timestamp }: { timestamp: number }) =>
      painted(`${textOf(a.frame)} ${share.toFixed(2)} black`, timestamp),
  }
}

async function* countedPictures(number: number, frames: number) {
  for (let at = 0; at < frames; at += 1) yield picture(`${number}:${at}`, new Set())
}

/** Takes pictures as words. */
function writing(shown: string[]) {
  return {
    add: async (frame: VideoFrame, isKey: boolean) => {
      shown.push(`${isKey ? 'key ' : ''}${textOf(frame)}`)
      frame.close()
    },
    finish: async () => undefined,
    close: () => undefined,
  }
}

it('NOW-05 shows passages in their order, fading into each other and into black', async () => {
  const [shown, shares, open]: [string[], number[], Set<string>] = [[], [], new Set()]
  await makeEditPictures(teaser(), {
    open: ({ number, frames }) => countedPictures(number, frames),
    painter: painting(open),
    begin: async () => writing(shown),
    signal: never,
    onProgress: ({ share }) => shares.push(share),
  })
  expect(shown).toHaveLength(375)
  expect(shown.filter((text) => text.startsWith('key'))).toHaveLength(6)
  const second = shown.findIndex((text, at) => at > 0 && text.startsWith('key'))
  expect(shown[0]).toBe('key 1:0')
  expect(shown[second - 6]).toMatch(/^1:\d+ 1.00 2:0$/)
  expect(shown[second - 1]).toMatch(/^1:\d+ 0.17 2:5$/)
  expect(shown[second]).toBe('key 2:6')
  expect(shown.at(-1)).toMatch(/^6:\d+ 0.15 black$/)
  // One for each second and passage, and at the end.
  expect([shares.length, shares[0], shares.at(-1), open.size]).toEqual([22, 0, 1, 0])
  expect(shares.toSorted((a, b) => a - b)).toEqual(shares)
})

/** What a teaser shows, but for passages that are kept; and which passages were decoded. */
async function shownBut(kept: readonly number[]) {
  const [shown, stands, decoded]: [string[], MakeProgress[], number[]] = [[], [], []]
  const open = new Set<string>()
  const decoding = new Set<number>()
  async function* decode(number: number, frames: number) {
    decoding.add(number)
    try {
      yield* countedPictures(number, frames)
    } finally {
      decoding.delete(number)
    }
  }
  await makeEditPictures(teaser(), {
    open: ({ number, frames }) => {
      decoded.push(number)
      return decode(number, frames)
    },
    painter: painting(open),
    begin: async ({ number }, place) => {
      if (kept.includes(number)) return null
      // Of what is kept nothing is decoded on.
      expect(kept.some((each) => each < number && decoding.has(each))).toBe(false)
      shown.push(`from ${place}`)
      return writing(shown)
    },
    signal: never,
    onProgress: (stand) => stands.push(stand),
  })
  return { shown, stands, decoded, isAllClosed: open.size === 0 }
}

it('NOW-06 goes on behind passages that are kept, with the pictures that it has in one go', async () => {
  const whole = await shownBut([])
  const third = whole.shown.findIndex((text) => text.startsWith('key 3:')) - 1
  const later = await shownBut([1, 2])
  expect(later.shown).toEqual(whole.shown.slice(third))
  expect(later.decoded).toEqual([3, 4, 5, 6])
  expect(later.stands[0]).toMatchObject({ passage: 3, passages: 6 })
  expect(later.stands[0]?.share).toBeGreaterThan(0.3)
  expect(later.stands.at(-1)).toEqual({ share: 1, passage: 6, passages: 6 })
  // One in the middle: the passage before fades into it.
  const around = await shownBut([3])
  const fourth = whole.shown.findIndex((text) => text.startsWith('key 4:')) - 1
  expect(around.shown).toEqual([...whole.shown.slice(0, third), ...whole.shown.slice(fourth)])
  expect([later.isAllClosed, around.isAllClosed]).toEqual([true, true])
})

it('closes each picture when its turn is over, and all at an early end', async () => {
  const open = new Set<string>()
  async function* decoded() {
    for (let at = 0; at < 20; at += 1)
      yield { timeS: at / 50, frame: picture(String(at), open) as unknown as { close(): void } }
  }
  const clock = { startS: 0.04, ticksPerSecond: 1000 }
  const shown: unknown[] = []
  for await (const frame of picturesInTurn(decoded(), pictureTurns(8, PAL, clock), 8)) {
    expect(open.size).toBeLessThanOrEqual(2)
    shown.push(textOf(frame as unknown as VideoFrame))
    if (shown.length === 4) break
  }
  expect(shown).toEqual(['2', '4', '6', '8'])
  expect(open.size).toBe(0)
})

/** An encoder that says no in the ways that browsers do. */
function stubEncoder(breaksAt = Infinity) {
  const seen = { closed: 0, encoded: 0 }
  class FakeEncoder extends EventTarget {
    static isConfigSupported({ codec }: { codec: string }) {
      if (codec.startsWith('avc1.64')) throw new TypeError('unknown profile')
      return Promise.resolve({ supported: codec.startsWith('avc1.42') })
    }
    state = 'unconfigured'
    encodeQueueSize = 0
    readonly #init: { readonly error: (thrown: Error) => void }
    constructor(init: { readonly error: (thrown: Error) => void }) {
      super()
      this.#init = init
    }
    configure(): void {
      this.state = 'configured'
    }
    encode(): void {
      seen.encoded += 1
      this.encodeQueueSize += 1
      if (seen.encoded === breaksAt) {
        this.state = 'closed'
        this.#init.error(new Error('the hardware is gone'))
        return
      }
      queueMicrotask(() => {
        this.encodeQueueSize -= 1
        this.dispatchEvent(new Event('dequeue'))
      })
    }
    flush = (): Promise<void> => Promise.resolve()
    close(): void {
      this.state = 'closed'
      seen.closed += 1
    }
  }
  vi.stubGlobal('VideoEncoder', FakeEncoder)
  return seen
}

it('NOW-07 takes the profile that a browser has, also where it throws instead of saying no', async () => {
  stubEncoder()
  const config = await encoderFor({ width: 1280, height: 720 }, PAL)
  expect(config).toMatchObject({ codec: 'avc1.42e028', bitrate: 5_530_000 })
  const fast = await encoderFor({ width: 1920, height: 1080 }, { text: '50', value: 50 })
  expect(fast).toMatchObject({ codec: 'avc1.42e02a' })
})

it('NOW-07 an encoder that breaks at picture 200 ends the attempt, and no picture stays open', async () => {
  const seen = stubEncoder(200)
  const open = new Set<string>()
  const config = await encoderFor({ width: 1280, height: 720 }, PAL)
  if (config === null) throw new Error('no encoder')
  const encoders: PictureEncoder[] = []
  const made = makeEditPictures(teaser(), {
    open: ({ number, frames }) => countedPictures(number, frames),
    painter: painting(open),
    begin: async () => {
      const encoder = startEncoder(config, () => undefined, never)
      encoders.push(encoder)
      return encoder
    },
    signal: never,
    onProgress: () => undefined,
  })
  await expect(made).rejects.toMatchObject({ name: 'EncoderFailed' })
  expect(seen.encoded).toBe(200)
  expect(open.size).toBe(0)
  expect(Math.max(...encoders.map(({ mostQueued }) => mostQueued()))).toBeLessThanOrEqual(4)
  // One for each passage; the third one closed itself.
  expect([encoders.length, seen.closed]).toEqual([3, 2])
})

it('ends at once when it is called off', async () => {
  stubEncoder()
  const over = new AbortController()
  const config = await encoderFor({ width: 1280, height: 720 }, PAL)
  if (config === null) throw new Error('no encoder')
  const made = makeEditPictures(teaser(), {
    open: ({ number, frames }) => countedPictures(number, frames),
    painter: painting(new Set()),
    begin: async () => startEncoder(config, () => undefined, over.signal),
    signal: over.signal,
    onProgress: () => over.abort(),
  })
  await expect(made).rejects.toMatchObject({ name: 'AbortError' })
})
