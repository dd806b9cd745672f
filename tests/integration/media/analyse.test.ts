import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { analyseMoments } from '#server/media/analyse.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'

it.each([
  ['exit 1', 'a file that cannot be read has no moments'],
  ['kill -KILL $$', 'a search that the machine kills is no answer'],
])('REC-25 %s: %s', async (script) => {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-analyse-'))
  try {
    await chmod(folder, 0o755)
    const ffmpegPath = join(folder, 'ffmpeg')
    await writeFile(ffmpegPath, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const places = { source: join(folder, 'clip.mp4'), folder, assetPaths: new Map() }
    await writeFile(places.source, 'bytes')
    const found = analyseMoments(
      { ...(await testFfmpeg()), ffmpegPath, confinement: { kind: 'none', uid: null, nice: null } },
      probe({ durationMs: 20_000 }),
      places,
      AbortSignal.timeout(patience(20)),
      () => undefined,
    )
    if (script === 'exit 1') expect(await found).toEqual([])
    else await expect(found).rejects.toThrow('killed')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
