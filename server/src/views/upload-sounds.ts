import type { components } from '#openapi/schema.gen.ts'
import { hasWideSound } from '#recipes/sound-width.ts'
import type { UploadSounds } from '#server/operations/media/uploads/sounds.ts'

type Wire = components['schemas']['UploadSounds']

/** The sounds of an upload as the contract shows them: numbers count from 1. */
export function viewUploadSounds(found: UploadSounds): { uploadSounds: Wire } {
  return {
    uploadSounds: {
      _id: found.uploadId,
      isChecked: found.isChecked,
      chosen: found.chosen === null ? null : found.chosen + 1,
      sounds: found.sounds.map((sound) => ({
        number: sound.number + 1,
        duration: sound.durationMs,
        loudness: sound.lufs,
        language: sound.language,
        title: sound.title,
        isUsual: sound.isUsual,
        isTaken: sound.number === found.taken,
        videoDuration: sound.probe.durationMs,
        hasWideSound: hasWideSound(sound.probe),
        findings: sound.findings.map((finding) => ({ ...finding, facts: { ...finding.facts } })),
      })),
    },
  }
}
