import type { Refused } from './choose.ts'
import type { Confinement } from './methods.ts'

/** What a start says of the confinement, for the operator. */
interface Description {
  readonly holds: string
  /** What would make it stronger; null when nothing would. */
  readonly advice: string | null
}

/** What each kind holds beside the user. */
const HOLDS: Readonly<Record<Confinement['kind'], string>> = {
  bubblewrap:
    'no network, no files but its inputs and one folder, limits of processor time, memory, file size and processes',
  namespaces:
    'no network, no processes but its own, limits of processor time, memory, file size and processes',
  limits: 'limits of processor time, memory and file size',
  none: 'nothing else',
}

export function describeConfinement(
  { kind, uid }: Confinement,
  refused: readonly Refused[],
): Description {
  const user = uid === null ? "the server's own user" : `user ${uid} without rights`
  const holds = `ffmpeg is confined by ${kind}: ${user}, ${HOLDS[kind]}.`
  if (kind === 'bubblewrap') return { holds, advice: null }
  const bubblewrap = refused.find((each) => each.kind === 'bubblewrap')
  const need =
    bubblewrap === undefined
      ? `install ${kind === 'none' ? 'bubblewrap and util-linux' : 'bubblewrap'}`
      : `bubblewrap is here but does not work (${bubblewrap.reason})`
  return {
    holds,
    advice: `ffmpeg could be confined better: ${need}; docs/confinement.md says how.`,
  }
}
