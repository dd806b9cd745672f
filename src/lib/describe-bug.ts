/**
 * What may be logged about a thrown value: enough to find the line, nothing of the person. One rule
 * for the page, the workers and the server, which imports no other file of `src`.
 */
export type BugFacts = {
  /** Class or DOMException name; 'unknown' for a value that is not an error. */
  readonly name: string
  /** `area/what-happened` of this code base, or an errno such as 'ENOSPC'; null for none. */
  readonly code: string | null
  /**
   * Only a message that cannot hold data: a code of ours, or the JavaScript engine's words about
   * names in the code ('x is not a function'). Null for any other.
   */
  readonly message: string | null
  /** Name of the error behind this one; null for none. */
  readonly cause: string | null
  /** The innermost frame of `stack`; null where the value has none. */
  readonly place: string | null
  /** `function file:line:column`, innermost first, at most 12, joined by ' < '. */
  readonly stack: string | null
}

const MAX_FRAMES = 12
const CODE = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*(?:\/[a-z0-9]+(?:-[a-z0-9]+)*)+|[A-Z][A-Z0-9_]{1,40})$/
const NAME = /^[\w$]{1,60}$/
/** V8, SpiderMonkey and JavaScriptCore; each form names code, never a value. */
const ENGINE_MESSAGES: readonly RegExp[] = [
  /^[\w$.]{1,80} is not (?:a function|a constructor|iterable|defined|an object)$/,
  /^[\w$.]{1,80} is (?:undefined|null)$/,
  /^Cannot (?:read|set) properties of (?:undefined|null)(?: \((?:reading|setting) '[\w$]{1,60}'\))?$/,
  /^(?:undefined|null) is not an object \(evaluating '[\w$.]{1,80}'\)$/,
  /^(?:can't access property "[\w$]{1,60}", )?[\w$.]{1,80} is (?:undefined|null)$/,
  /^Maximum call stack size exceeded$|^too much recursion$/,
]

/** Describes anything that was thrown, for a log. Never throws. */
export function describeBug(thrown: unknown): BugFacts {
  const frames = framesOf(text(thrown, 'stack'))
  return {
    name: nameOf(thrown),
    code: matching(text(thrown, 'code'), CODE),
    message: safeMessage(text(thrown, 'message')),
    cause: causeOf(thrown),
    place: frames[0] ?? null,
    stack: frames.length === 0 ? null : frames.join(' < '),
  }
}

/**
 * A text without what could be a person's: mail addresses, file names, addresses with their query,
 * blob addresses, tokens. The last defence of texts that are copied, not a licence to log them.
 */
export function withoutUserData(from: string): string {
  return from
    .replace(/\b(?:blob|data|file):\S*/gi, '(address)')
    .replace(/\bhttps?:\/\/[^\s"'<>)]*/gi, (address) => pathOnly(address))
    .replace(/[^\s"'<>()[\],;:]+@[^\s"'<>()[\],;:]+\.[a-z]{2,}/gi, '(mail)')
    .replace(FILE_NAME, '(file)')
    .replace(/[\w-]+\.[\w-]{10,}\.[\w-]{10,}/g, '(token)')
    .replace(/[A-Za-z0-9+/_=]{40,}/g, '(token)')
}

/** Up to the media extension, with the words before it: names of files have spaces. */
const FILE_NAME =
  /[^\n"'<>|:/\\()]*\.(?:mp4|m4v|mov|mkv|webm|avi|wmv|mpe?g|mts|m2ts|ts(?!:\d)|jpe?g|png|gif|webp|heic|mp3|wav|aac|zip)\b/gi

function pathOnly(address: string): string {
  const url = URL.parse(address)
  return url === null ? '(address)' : `(host)${url.pathname}`
}

function nameOf(thrown: unknown): string {
  return matching(text(thrown, 'name'), NAME) ?? 'unknown'
}

/** `inner` is Dexie's word for a cause. */
function causeOf(thrown: unknown): string | null {
  const cause = property(thrown, 'cause') ?? property(thrown, 'inner')
  return cause === undefined || cause === null ? null : nameOf(cause)
}

function safeMessage(message: string | null): string | null {
  if (message === null) return null
  return CODE.test(message) || ENGINE_MESSAGES.some((form) => form.test(message)) ? message : null
}

function framesOf(stack: string | null): readonly string[] {
  if (stack === null) return []
  const lines = stack.split('\n')
  // V8 begins with the message, which may hold anything; the other engines list frames only.
  const isV8 = lines.some((line) => /^\s+at /.test(line))
  return lines
    .filter((line) => (isV8 ? /^\s+at /.test(line) : line.includes('@')))
    .flatMap((line) => frameOf(line) ?? [])
    .slice(0, MAX_FRAMES)
}

function frameOf(line: string): string | null {
  const found = /^\s*(?:at\s+)?(?:(.*?)\s*[(@])?([^\s()@]+):(\d+):(\d+)\)?\s*$/.exec(line)
  if (found === null) return null
  const [, caller = '', address = '', row, column] = found
  const file = scriptOf(address)
  return `${file === null ? '(page)' : `${functionOf(caller)}${file}`}:${row}:${column}`
}

function functionOf(caller: string): string {
  const name = caller.replace(/\s*\[as [^\]]*\]$/, '').replace(/^(?:async|new) /, '')
  return /^[\w$.<>#]{1,80}$/.test(name) ? `${name} ` : ''
}

/** The last three segments of a script's path; null for anything that is not a script. */
function scriptOf(address: string): string | null {
  const path = address.replace(/[?#].*$/, '').replace(/^[a-z-]+:\/\/[^/]*/i, '')
  const segments = path.split('/').slice(-3)
  return /\.(?:[cm]?[jt]sx?|wasm)$/.test(path) &&
    segments.every((each) => /^[\w.@$:-]*$/.test(each))
    ? segments.filter((each) => each !== '').join('/')
    : null
}

function matching(value: string | null, form: RegExp): string | null {
  return value !== null && form.test(value) ? value : null
}

function text(thrown: unknown, key: string): string | null {
  const value = property(thrown, key)
  return typeof value === 'string' ? value : null
}

/** Getters of foreign objects may throw. */
function property(thrown: unknown, key: string): unknown {
  try {
    return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined
  } catch {
    return undefined
  }
}
