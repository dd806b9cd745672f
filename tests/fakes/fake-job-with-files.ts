import { fakeMediaJob, idOf } from './fake-rows.ts'

/** A job of a video whose one edit has these files, each of one size. */
export function fakeJobWithFiles(
  uploadRequestId: string,
  outputIds: readonly string[],
  sizeBytes: number,
) {
  return fakeMediaJob({
    uploadRequestId,
    tasks: [
      {
        _id: idOf(600),
        name: '15s Teaser',
        status: 'succeeded',
        mediaJobTaskPresetSlug: 'teaser-15s',
        errorMessage: null,
        progressRatio: 1,
        refundedCoinAmount: 0,
        createdAt: '2026-11-21T09:31:00.000Z',
        outputs: outputIds.map((_id) => ({
          _id,
          kind: 'download-button' as const,
          buttonText: 'Download',
          downloadUrl: '/download',
          fileName: 'teaser.mp4',
          contentType: 'video/mp4',
          sizeBytes,
          width: null,
          height: null,
          duration: null,
        })),
      },
    ],
  })
}
