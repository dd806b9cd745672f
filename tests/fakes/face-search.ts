import type { FaceFinding } from '#recipes/face-cover/types.ts'
import { ok } from '#recipes/result.ts'
import type { FaceSearch } from '#server/media/face-search.ts'

/** Two faces in the first two seconds: one certain, one not. */
export const fakeFinding: FaceFinding = {
  version: 1,
  tracks: [
    {
      id: 'certain',
      startMs: 0,
      endMs: 1500,
      boxes: [
        { atMs: 0, x: 0.1, y: 0.1, width: 0.2, height: 0.3 },
        { atMs: 1400, x: 0.3, y: 0.1, width: 0.2, height: 0.3 },
      ],
      certainty: 0.9,
    },
    {
      id: 'doubtful',
      startMs: 500,
      endMs: 700,
      boxes: [{ atMs: 600, x: 0.8, y: 0.7, width: 0.1, height: 0.2 }],
      certainty: 0.3,
    },
  ],
  shots: [{ startMs: 0, endMs: 2000 }],
}

/** A search that looks at nothing and counts how often it is asked. */
export function createFakeFaceSearch(finding: FaceFinding = fakeFinding): FaceSearch & {
  readonly searched: string[]
} {
  const searched: string[] = []
  return {
    searched,
    find: async ({ path, onProgress }) => {
      searched.push(path)
      onProgress(1)
      return await Promise.resolve(ok(finding))
    },
  }
}
