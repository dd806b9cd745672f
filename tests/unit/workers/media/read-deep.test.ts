import { describe, expect, it } from 'vitest'
import { movie, type WrittenTrack } from '#tests/fixtures/movies.ts'
import { openFile } from '#workers/media/open-file.ts'
import { readTimes } from '#workers/media/read-deep.ts'

const track = (kind: string, edits?: WrittenTrack['edits']): WrittenTrack => ({
  kind,
  timeScale: 1000,
  perChunk: 2,
  samples: Array.from({ length: 40 }, (_, at) => ({
    decoded: at * 100,
    lasts: 100,
    later: 0,
    isKey: at % 5 === 0,
    bytes: Buffer.of(at, at, at),
  })),
  ...(edits === undefined ? {} : { edits }),
})

async function lateness(sound: WrittenTrack): Promise<number | undefined> {
  const opened = openFile(new File([new Uint8Array(movie([track('vide'), sound]))], 'beach.mp4'))
  const { sound: found } = await readTimes(opened, new AbortController().signal)
  opened.close()
  return found?.startsLateMs
}

const NORMAL = 0x10000

describe('where sound begins', () => {
  it('NOW-02 is where it is heard: what an edit list keeps before the beginning is not', async () => {
    expect(await lateness(track('soun', [[3700, 300, NORMAL]]))).toBe(0)
  })

  it('is later where an edit list waits', async () => {
    const wait = [300, 0xffffffff, NORMAL] as const
    expect(await lateness(track('soun', [wait, [3700, 0, NORMAL]]))).toBe(300)
  })
})
