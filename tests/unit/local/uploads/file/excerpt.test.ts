import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Stretch } from '#recipes/stretch.ts'
import type { ComposedFile } from '#checks/movie/composed-file.ts'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { planExcerpt } from '#checks/movie/excerpt.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { movieIndexOf } from '#src/local/uploads/file/movie-index.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import { movie, samplesOf, type Sample, type WrittenTrack } from '#tests/fixtures/movies.ts'
import { atom } from '#tests/fixtures/picture-boxes.ts'

const sourceOf = (bytes: Buffer): ByteSource =>
  fileSource(new File([new Uint8Array(bytes)], 'scene.mp4', { type: 'video/mp4', lastModified: 5 }))

async function planned(source: ByteSource, stretches: readonly Stretch[]): Promise<ComposedFile> {
  const index = await movieIndexOf(source)
  if (!index.ok) throw new Error(index.error.code)
  const plan = planExcerpt(index.value, stretches)
  if (!plan.ok) throw new Error(plan.error.code)
  return plan.value
}

async function bytesOf(source: ByteSource): Promise<Buffer> {
  const bytes = await source.read(0, source.sizeBytes)
  if (!bytes.ok) throw new Error(bytes.error.kind)
  return Buffer.from(bytes.value)
}

async function excerptOf(whole: Buffer, stretches: readonly Stretch[]): Promise<Buffer> {
  const source = sourceOf(whole)
  return await bytesOf(composedSource(source, await planned(source, stretches)))
}

/** Of a track, from what chance gives for each sample. */
function samples(
  drawn: readonly { readonly lasts: number; readonly later: number; readonly size: number }[],
  keyEvery: number,
): readonly Sample[] {
  let decoded = 0
  return drawn.map(({ lasts, later, size }, number) => {
    const sample = {
      decoded,
      lasts,
      later,
      isKey: number % keyEvery === 0,
      bytes: Uint8Array.from({ length: size }, (_, at) => number * 7 + at * 13 + size),
    }
    decoded += lasts
    return sample
  })
}

const drawnTrack = (kind: string, count: number): fc.Arbitrary<WrittenTrack> =>
  fc.record({
    kind: fc.constant(kind),
    timeScale: fc.constantFrom(600, 1000, 48_000),
    perChunk: fc.integer({ min: 1, max: 9 }),
    samples: fc
      .tuple(
        fc.array(
          fc.record({
            lasts: fc.integer({ min: 0, max: 400 }),
            later: kind === 'soun' ? fc.constant(0) : fc.integer({ min: -100, max: 900 }),
            size: fc.integer({ min: 0, max: 20 }),
          }),
          { minLength: count / 2, maxLength: count },
        ),
        kind === 'soun' ? fc.constant(1) : fc.integer({ min: 1, max: 40 }),
      )
      .map(([drawn, keyEvery]) => samples(drawn, keyEvery)),
  })

const drawnStretches = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 1, max: 4000 }))
    .map(([startMs, lengthMs]) => ({ startMs, endMs: startMs + lengthMs })),
  { minLength: 1, maxLength: 4 },
)

const shownS = ({ decoded, later }: Sample, { timeScale }: WrittenTrack): number =>
  (decoded + later) / timeScale

describe('an excerpt', () => {
  it('NOW-01 has the samples that its stretches show at their times, and their bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        drawnTrack('vide', 300),
        drawnTrack('soun', 300),
        drawnStretches,
        async (picture, sound, stretches) => {
          const written = [picture, sound]
          const found = samplesOf(await excerptOf(movie(written), stretches))
          const startS = Math.min(
            ...written.map((track) =>
              Math.min(...track.samples.slice(0, 32).map((each) => shownS(each, track))),
            ),
          )
          for (const [number, track] of written.entries()) {
            const own = found[number] ?? []
            // Each is a sample of the whole, with another length at the most.
            let at = -1
            for (const { decoded, later, isKey, bytes } of own) {
              at = track.samples.findIndex(
                (each, place) =>
                  place > at &&
                  each.decoded === decoded &&
                  each.later === later &&
                  each.isKey === isKey &&
                  Buffer.from(each.bytes).equals(bytes),
              )
              expect(at).toBeGreaterThanOrEqual(0)
            }
            const ends = ({ decoded, lasts }: Sample) => decoded + lasts
            expect(own.at(-1) && ends(own.at(-1)!)).toBe(
              track.samples.at(-1) && ends(track.samples.at(-1)!),
            )
            const has = new Set(own.map(({ decoded, bytes }) => `${decoded} ${bytes.join()}`))
            const missing = track.samples.filter((each) => {
              const atS = shownS(each, track) - startS
              const isShown = stretches.some(
                ({ startMs, endMs }) =>
                  atS * 1000 >= startMs && atS * 1000 <= endMs + (track.kind === 'soun' ? 500 : 90),
              )
              return isShown && !has.has(`${each.decoded} ${each.bytes.join()}`)
            })
            expect(missing).toEqual([])
          }
        },
      ),
    )
  })

  it('NOW-01 is read in any pieces as it is read as a whole', async () => {
    const track = (kind: string, keyEvery: number): WrittenTrack => ({
      kind,
      timeScale: 1000,
      perChunk: 3,
      samples: samples(
        Array.from({ length: 500 }, (_, at) => ({ lasts: 40, later: 0, size: 1 + (at % 30) })),
        keyEvery,
      ),
    })
    const whole = sourceOf(movie([track('vide', 20), track('soun', 1), track('meta', 1)]))
    const plan = await planned(whole, [
      { startMs: 6000, endMs: 8000 },
      { startMs: 14_000, endMs: 15_000 },
    ])
    const source = composedSource(whole, plan)
    expect(plan.ranges.length).toBeGreaterThan(10)
    expect(source.file).toEqual({ ...whole.file, sizeBytes: plan.sizeBytes })
    const parts = await Promise.all(
      plan.ranges.map(({ start, end }) => whole.slice(start, end).arrayBuffer()),
    )
    const all = Buffer.concat([plan.head, ...parts.map((part) => new Uint8Array(part))])
    expect(all.byteLength).toBe(source.sizeBytes)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: all.length }),
        fc.integer({ min: 0, max: all.length }),
        async (one, other) => {
          const [start, end] = [Math.min(one, other), Math.max(one, other)]
          const read = await source.read(start, end)
          expect(read.ok && Buffer.from(read.value).equals(all.subarray(start, end))).toBe(true)
        },
      ),
    )
    expect(await source.read(0, all.length + 1)).toEqual({ ok: false, error: { kind: 'changed' } })
  })

  it('NOW-01 has no byte of what is no picture and no sound', async () => {
    const secret = Buffer.from('52.5200')
    const plain = samples(
      Array.from({ length: 100 }, () => ({ lasts: 100, later: 0, size: 7 })),
      5,
    )
    const track = (kind: string): WrittenTrack => ({
      kind,
      timeScale: 1000,
      perChunk: 1,
      samples: kind === 'meta' ? plain.map((each) => ({ ...each, bytes: secret })) : plain,
    })
    const whole = movie(
      [track('vide'), track('meta'), track('soun')],
      atom('udta', atom('name', 'SecretPlace')),
    )
    const excerpt = await excerptOf(whole, [{ startMs: 5000, endMs: 9000 }])
    expect(whole.includes(secret)).toBe(true)
    expect(excerpt.toString('latin1')).not.toMatch(/52\.5200|SecretPlace/)
    expect(samplesOf(excerpt)).toHaveLength(2)
  })

  it('NOW-01 keeps the number of samples of PCM, with silence where it has none', async () => {
    const entry = Buffer.alloc(28)
    entry.writeUInt16BE(1, 16)
    entry.writeUInt16BE(16, 18)
    const count = 8000 * 60
    const pcm: WrittenTrack = {
      kind: 'soun',
      timeScale: 8000,
      perChunk: 1,
      // Chunks of a second, and tables that say so in a few words.
      samples: Array.from({ length: 60 }, (_, at) => ({
        decoded: at * 8000,
        lasts: 8000,
        later: 0,
        isKey: true,
        bytes: new Uint8Array(16_000).fill(at + 1),
      })),
      entry: atom('sowt', entry),
      tables: {
        stts: atom('stts', 0, 1, count, 1),
        stsc: atom('stsc', 0, 1, 1, 8000, 1),
        stsz: atom('stsz', 0, 2, count),
      },
    }
    const picture: WrittenTrack = {
      kind: 'vide',
      timeScale: 1000,
      perChunk: 1,
      samples: samples(
        Array.from({ length: 200 }, () => ({ lasts: 100, later: 0, size: 50 })),
        10,
      ),
    }
    const whole = movie([picture, pcm])
    const excerpt = await excerptOf(whole, [{ startMs: 9000, endMs: 10_000 }])
    expect(excerpt.length).toBeLessThan(whole.length / 2)
    const [, own = []] = samplesOf(excerpt)
    expect(own).toHaveLength(count)
    const first = (second: number) => own[second * 8000]?.bytes[0]
    expect([0, 5, 9, 9.9, 15].map(first)).toEqual([1, 0, 10, 10, 0])
  })
})
