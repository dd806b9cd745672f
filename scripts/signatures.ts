/** What the registry's signatures say of the installed packages, with a sentence. */
export interface SignatureVerdict {
  readonly kind: 'good' | 'bad' | 'unknown'
  readonly text: string
}

/** Codes of npm for a registry, or its keys, that cannot be reached. */
const NO_ANSWER =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ERR_SOCKET_TIMEOUT|E40[1-8]|E429|E5\d\d)$/

/** Reads what `npm audit signatures --json` printed. What cannot be read counts as bad. */
export function readSignatures(json: string): SignatureVerdict {
  const found = parse(json)
  if (found === null) return { kind: 'bad', text: `npm gave no verdict on signatures: ${json}` }
  const { error, invalid = [], missing = [] } = found
  if (error !== undefined) {
    const reason = `${error.code ?? ''} ${error.summary ?? ''}`.trim()
    return NO_ANSWER.test(error.code ?? '')
      ? {
          kind: 'unknown',
          text: `The signatures of packages were not checked, because the registry does not answer: ${reason}`,
        }
      : { kind: 'bad', text: `The signatures of packages could not be checked: ${reason}` }
  }
  const wrong = [...invalid, ...missing].map(({ name, version }) => `${name}@${version}`)
  return wrong.length === 0
    ? { kind: 'good', text: 'All packages are what their publishers signed.' }
    : { kind: 'bad', text: `These packages lack a valid signature: ${wrong.join(', ')}` }
}

interface Package {
  readonly name: string
  readonly version: string
}

interface Audit {
  readonly error?: { readonly code?: string; readonly summary?: string }
  readonly invalid?: readonly Package[]
  readonly missing?: readonly Package[]
}

function parse(json: string): Audit | null {
  try {
    const found: unknown = JSON.parse(json)
    return typeof found === 'object' && found !== null ? found : null
  } catch {
    return null
  }
}
