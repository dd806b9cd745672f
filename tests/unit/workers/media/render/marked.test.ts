import { expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { STAY_S } from '#recipes/dynamic-watermark/places.ts'
import { pictureTurns } from '#recipes/picture-at.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { makeMarkedPictures, type TimedPicture } from '#workers/media/render/marked-pictures.ts'
import { movingMark } from '#workers/media/render/moving-mark.ts'
import { emptyPlanes, planesOf } from '#workers/media/render/planes.ts'
import type { MoviePiece } from '#workers/media/render/mux.ts'
import type { MakeProgress } from '#src/local/made/make.ts'

const never = new AbortController().signal

/** Of 20 s, so that its pieces begin at 0, 6, 12 and 18 s. */
function drawing() {
  const source = probe({ durationMs: 20_000, frameRate: 25 })
  const drawn = findRecipe('dynamic-watermark')?.markedDrawing?.(source, { text: '@me' }, false)
  if (drawn?.ok !== true) throw new Error('no drawing')
  return drawn.value
}

const pieceOf = (startS: number): MoviePiece => ({ startS, movie: new Blob() })

/** What is encoded of pictures at these times, but for stretches that are kept. */
async function madeOf(timesS: readonly number[], kept: readonly string[] = []) {
  const seen = { opened: [] as number[], added: [] as string[], stands: [] as MakeProgress[] }
  const open = new Set<number>()
  async function* from(fromS: number): AsyncGenerator<TimedPicture, void, void> {
    seen.opened.push(fromS)
    for (const timeS of timesS.filter((each) => each >= fromS)) {
      open.add(timeS)
      const shown = { timestamp: timeS * 1e6, duration: 0 }
      try {
        yield { frame: { close: () => undefined } as unknown as VideoFrame, shown }
      } finally {
        open.delete(timeS)
      }
    }
  }
  const made = await makeMarkedPictures(drawing(), {
    open: from,
    kept: async (name) => (kept.includes(name) ? pieceOf(Number(name.slice(8)) * 100) : null),
    begin: async (name, startS) => ({
      add: async (frame, isKey) => {
        // The picture is painted while it is open, and no other one is.
        expect(open.size).toBe(1)
        seen.added.push(`${isKey ? `${name}: ` : ''}${frame.timestamp / 1e6}`)
      },
      finish: async (progress) => {
        seen.stands.push(progress)
        return pieceOf(startS)
      },
      close: () => undefined,
    }),
    paint: async ({ shown }) => shown as unknown as VideoFrame,
    signal: never,
    onProgress: (stand) => seen.stands.push(stand),
  })
  return { ...seen, starts: made.map(({ startS }) => startS) }
}

it('NOW-06 a whole video is made in stretches of six seconds, decoded once', async () => {
  const { opened, added, starts, stands } = await madeOf([0, 3, 5.9, 6.02, 12.1, 18, 20.5])
  expect(opened).toEqual([0])
  const inTurn = 'stretch-1: 0, 3, 5.9, stretch-2: 6.02, stretch-3: 12.1, stretch-4: 18, 20.5'
  expect(added.join(', ')).toBe(inTurn)
  expect(starts).toEqual([0, 6.02, 12.1, 18])
  expect(stands.at(-1)).toEqual({ share: 1, passage: 1, passages: 1 })
  expect(stands.map(({ share }) => share)).toEqual(stands.map(({ share }) => share).toSorted())
})

it('NOW-06 goes on behind stretches that are kept, and decodes nothing of them', async () => {
  const later = await madeOf([0, 6.02, 12.1, 18], ['stretch-1', 'stretch-3'])
  expect(later.opened).toEqual([6, 18])
  expect(later.added).toEqual(['stretch-2: 6.02', 'stretch-4: 18'])
  expect(later.starts).toEqual([100, 6.02, 300, 18])
})

it('a picture that stays through a stretch leaves that without a piece', async () => {
  const { starts, added } = await madeOf([0, 13])
  expect(starts).toEqual([0, 13])
  expect(added).toEqual(['stretch-1: 0', 'stretch-3: 13'])
  await expect(madeOf([])).rejects.toMatchObject({ name: 'DecoderFailed' })
})

/** A mark of 2x2 pixels that leaves a quarter, as ffmpeg draws it at four places. */
function quarterMark(ground: { readonly width: number; readonly height: number }) {
  const pictures = [0, 255].flatMap((grey) =>
    [0, 1, 2, 3].map((place) => {
      const picture = emptyPlanes(ground)
      picture.bytes.fill(grey)
      const [luma, first] = planesOf(picture)
      for (const y of [0, 1])
        for (const x of [0, 1])
          luma.bytes[(y + (place >> 1)) * ground.width + x + (place % 2)] = 16 + grey / 4
      first.bytes[0] = grey === 0 ? 64 : 128
      return picture.bytes
    }),
  )
  const bytes = new Uint8Array(pictures.length * (pictures[0]?.length ?? 0))
  for (const [at, each] of pictures.entries()) bytes.set(each, at * each.length)
  return movingMark({ ...drawing().mark, ground, margin: 1 }, bytes)
}

it('NOW-05 what a mark does to black and to white it does to any picture', () => {
  const mark = quarterMark({ width: 4, height: 4 })
  const planes = emptyPlanes({ width: 16, height: 8 })
  planes.bytes.fill(100)
  mark.layOver(planes, 0)
  const [luma, first, second] = planesOf(planes)
  // It begins one pixel from both edges; its picture begins at an even place.
  const changed = [...luma.bytes.entries()].filter(([, value]) => value !== 100)
  expect(changed).toEqual([17, 18, 33, 34].map((at) => [at, 41]))
  expect([first.bytes[0], first.bytes[1], second.bytes[0]]).toEqual([89, 100, 100])
})

it('stays within pictures that are hardly larger than its ground', () => {
  const mark = quarterMark({ width: 8, height: 8 })
  const planes = emptyPlanes({ width: 10, height: 10 })
  for (let stay = 0; stay < 8; stay += 1) {
    const before = planes.bytes.fill(100).length
    mark.layOver(planes, stay * STAY_S)
    expect(planes.bytes).toHaveLength(before)
    const changed = planesOf(planes)[0].bytes.filter((value) => value !== 100)
    expect([...changed]).toEqual([41, 41, 41, 41])
  }
})

it('pictures at a constant rate are counted on from the middle', () => {
  const clock = { startS: 0, ticksPerSecond: 1000 }
  const rate = { text: '25', value: 25 }
  const turnsOf = (timesS: readonly number[], behind: number): readonly number[] => {
    const turns = pictureTurns(100, rate, clock, behind)
    return [...timesS.map((timeS) => turns.next(timeS) ?? 0), turns.rest()]
  }
  const timesS = [0, 0.5, 1.01, 2.5]
  // A picture is counted when the next one comes.
  expect(turnsOf(timesS, 0)).toEqual([0, 13, 12, 38, 37])
  expect(turnsOf(timesS.slice(1), 20)).toEqual([0, 5, 38, 37])
})
