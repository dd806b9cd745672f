import type { components } from '#openapi/schema.gen.ts'
import { idOf } from '#tests/fakes/fake-rows.ts'

type Schemas = components['schemas']

/** An edit that waits for its turn, with the given differences. */
export function fakeTask(changes: Partial<Schemas['MediaJobTask']> = {}): Schemas['MediaJobTask'] {
  return {
    _id: idOf(600),
    name: '15s Teaser',
    status: 'created',
    mediaJobTaskPresetSlug: 'teaser-15s',
    errorMessage: null,
    outputs: [],
    progressRatio: 0,
    refundedCoinAmount: 0,
    createdAt: '2026-11-21T09:31:00.000Z',
    ...changes,
  }
}

/** An archive of 1 MB: nothing that the browser would load to show it. */
export function fakeOutput(
  changes: Partial<Schemas['DownloadButtonOutput']> = {},
): Schemas['DownloadButtonOutput'] {
  return {
    _id: idOf(700),
    kind: 'download-button',
    buttonText: 'Download all stills (ZIP)',
    downloadUrl: `/editors/api/v1/media-job-tasks/${idOf(600)}/outputs/${idOf(700)}/download`,
    fileName: 'scene-stills.zip',
    contentType: 'application/zip',
    sizeBytes: 1_000_000,
    width: null,
    height: null,
    duration: null,
    ...changes,
  }
}
