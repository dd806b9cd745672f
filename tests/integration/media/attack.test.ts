import { expect, it } from 'vitest'
import { attackByMedia } from '#tests/faults/attack/media.ts'
import { hostileFiles } from '#tests/fixtures/hostile-files.ts'

/**
 * One of each kind, small and quickly made. What no header may claim of a length and the number of
 * edits is in `hostile-media.test.ts`.
 */
const NASTIEST = [
  'one-byte.mp4',
  'hls-file-http.mp4',
  'ffconcat.mp4',
  'dash-http.mp4',
  'elsewhere.mp4',
  'deep.mp4',
  'many-samples.mp4',
  'full-chunks.mp4',
  'slow-samples.mp4',
  'shown-65500x2.mp4',
  'encrypted.mp4',
  'drawn-subtitles.mkv',
  'nested-clusters.mkv',
  'damaged-4.ts',
] as const

it('TRU-03 hostile files get a verdict, reach nothing and cost little', async () => {
  const files = hostileFiles.filter(({ name }) => NASTIEST.some((each) => each === name))
  const { verdicts, complaints } = await attackByMedia(files, { renders: 1 })
  expect(complaints).toEqual([])
  expect(verdicts).toHaveLength(NASTIEST.length)
  // Neither is all refused nor all taken.
  expect(verdicts.some(({ verdict }) => verdict === 'validated')).toBe(true)
  expect(verdicts.some(({ verdict }) => verdict !== 'validated')).toBe(true)
  // No edit can be made of these, so they are refused before anybody pays.
  const verdictOf = (file: string) => verdicts.find(({ name }) => name === file)?.verdict
  expect(verdictOf('full-chunks.mp4')).toMatch(/is damaged and cannot be shown/)
  expect(verdictOf('slow-samples.mp4')).toMatch(/less than one picture in two seconds/)
})
