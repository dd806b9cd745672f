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
  confinement: Confinement,
  refused: readonly Refused[],
): Description {
  const { kind, uid } = confinement
  const user = uid === null ? "the server's own user" : `user ${uid} without rights`
  const bubblewrap = refused.find((each) => each.kind === 'bubblewrap')
  if (kind === 'bubblewrap' && confinement.filter !== null)
    return { holds: holdsOf(kind, user, ', no user namespaces of its own'), advice: null }
  const holds = holdsOf(kind, user)
  if (kind === 'bubblewrap') {
    const reason = bubblewrap?.reason ?? 'there is none for this kind of processor'
    const advice = `ffmpeg can make user namespaces, because the filter of system calls does not work (${reason}); docs/confinement.md says more.`
    return { holds, advice }
  }
  const need =
    bubblewrap === undefined
      ? `install ${kind === 'none' ? 'bubblewrap and util-linux' : 'bubblewrap'}`
      : `bubblewrap is here but does not work (${bubblewrap.reason})`
  return {
    holds,
    advice: `ffmpeg could be confined better: ${need}; docs/confinement.md says how.`,
  }
}

function holdsOf(kind: Confinement['kind'], user: string, more = ''): string {
  return `ffmpeg is confined by ${kind}: ${user}, ${HOLDS[kind]}${more}.`
}
