import type { MomentSearch } from './use-found-moments.ts'

/** Why this device does not find moments of a video. */
export function whyNotFound(why: Extract<MomentSearch, { kind: 'cannot' }>['why']): string {
  switch (why) {
    case 'find/no-decoder':
      return 'This browser cannot decode your video to look for better ones.'
    case 'find/unknown-file':
      return 'This kind of file cannot be searched on your device.'
    default:
      return 'Your device could not search it for better ones.'
  }
}

export function percent(share: number): string {
  return `${Math.floor(share * 100)} %`
}
