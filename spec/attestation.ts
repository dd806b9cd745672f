/**
 * What a person confirms at the first order of each video. A changed text gets a new version, which
 * the server stores with a hash of the words; an app that shows an older text is asked to reload.
 */
export const ATTESTATION = {
  version: '2026-11-22',
  text: 'Everyone shown in this video is at least 18 years old and has agreed to be filmed and to these edits. I keep the proof of it.',
} as const
