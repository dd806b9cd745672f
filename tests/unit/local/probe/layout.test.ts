import { describe, expect, it } from 'vitest'
import { walkBoxes } from '#src/local/probe/layout.ts'

const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}
const TABLE_BYTES = 2_000_000
/** A track whose tables are as long as those of some hours; `samples` names what is in it. */
const track = (samples: string): Buffer =>
  box(
    'trak',
    box('tkhd', Buffer.alloc(84)),
    box(
      'mdia',
      box(
        'minf',
        box(
          'stbl',
          box('stsd', Buffer.alloc(8), box(samples, Buffer.alloc(80))),
          box('stsz', Buffer.alloc(TABLE_BYTES)),
        ),
      ),
    ),
  )
const film = (...tracks: readonly Buffer[]): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.alloc(16)),
    box('moov', box('mvhd', Buffer.alloc(100)), ...tracks),
    box('mdat', Buffer.alloc(1_000)),
  ])

async function walk(
  bytes: Buffer,
): Promise<{ readonly isEncrypted: boolean; readonly readBytes: number; readonly reads: number }> {
  let [readBytes, reads] = [0, 0]
  const layout = await walkBoxes(async (start, end) => {
    const piece = new Uint8Array(bytes.subarray(start, end))
    readBytes += piece.byteLength
    reads += 1
    return piece
  }, bytes.byteLength)
  return { isEncrypted: layout.isEncrypted, readBytes, reads }
}

describe('the walk over an MP4 with a long index', () => {
  it('steps over the tables of its tracks', async () => {
    const { isEncrypted, readBytes, reads } = await walk(film(track('avc1'), track('mp4a')))
    expect(isEncrypted).toBe(false)
    expect(readBytes).toBeLessThan(TABLE_BYTES / 10)
    expect(reads).toBeLessThan(10)
  })

  it('finds the protected one of several tracks', async () => {
    expect((await walk(film(track('avc1'), track('enca')))).isEncrypted).toBe(true)
    expect((await walk(film(track('encv'), track('mp4a')))).isEncrypted).toBe(true)
  })

  it('ends in an index of nothing but tiny boxes', async () => {
    const { isEncrypted, reads } = await walk(film(Buffer.alloc(700_000 * 8, box('free'))))
    expect(isEncrypted).toBe(false)
    expect(reads).toBeLessThan(80)
  })
})
