import type { UploadMoments } from '#src/local/edits/moment-boards.ts'

/** What the server has found in a video of two minutes, with a picture every two seconds. */
export function fakeUploadMoments(more: Partial<UploadMoments> = {}): UploadMoments {
  return {
    state: 'ready',
    source: { durationMs: 120_000, width: 1920, height: 1080, frameRate: 30, nominalRate: null },
    moments: Array.from({ length: 120 }, (_, index) => ({
      atMs: index * 1000,
      lengthMs: 1000,
      shows: 'lively',
      score: ((index * 37) % 100) / 100,
      startsShot: index % 7 === 0,
      stillMs: index * 1000 + 400,
      likeness: (index % 16).toString(16).repeat(48),
    })),
    pictures: {
      url: '/editors/api/v1/upload-requests/x/moments/pictures',
      placesMs: Array.from({ length: 60 }, (_, index) => index * 2000 + 900),
      columns: 8,
      tileWidth: 192,
      tileHeight: 108,
    },
    video: null,
    ...more,
  }
}
