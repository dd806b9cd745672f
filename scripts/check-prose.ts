import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A word that is not used in this repository, and what to write instead. */
interface BannedWord {
  readonly pattern: RegExp
  readonly instead: string
}

/** Words that hide who does something, and words that the glossary has another word for. */
const bannedWords: readonly BannedWord[] = [
  { pattern: /\b(?:somebody|someone|nobody|whoever)\b/i, instead: 'name the thing or the person' },
  { pattern: /\b(?:anew|once more)\b/i, instead: 'write "again"' },
  { pattern: /\bshall\b/i, instead: 'write "must" or the present tense' },
  { pattern: /\bbe it\b/i, instead: 'write "even if" or "or"' },
  { pattern: /(?<!\bas )\bso long\b(?! as)/i, instead: 'write "for this long" or "until"' },
  { pattern: word('lane'), instead: 'write "slot"' },
  { pattern: word('knock'), instead: 'write "storage check"' },
  { pattern: word('narrowing'), instead: 'write "concurrency trial"' },
  { pattern: /\bcloser look/i, instead: 'write "deep check"' },
  { pattern: /\bsilent store/i, instead: 'write "storage outage"' },
  { pattern: /\b(?:ask(?:s|ed)? for|give|in) peace\b/i, instead: 'write "back-off"' },
]

/** References to pages that are not in the repository. */
const outwardReferences: readonly RegExp[] = [
  /\b00[01],? ?§/,
  /\bdecisions? 4\.\d/i,
  /[(,;] ?4\.\d{1,2}(?=[,;)])/,
  /\bin docs: /,
  /\.\.\/shared\b/,
]

/** Columns of a comment line; the formatter leaves comments as they are. */
const COMMENT_COLUMNS = 100

const TEXTS = /\.(?:tsx?|mjs|md|yaml|css|html)$/
const LEFT_OUT = /\.gen\.ts$|^scripts\/check-prose\.ts$|check-prose\.test\.ts$/

/** One line for each banned word, outward reference and wide comment in the files that git knows. */
export async function checkProse(root: string): Promise<string[]> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  const files = String(listed)
    .split('\n')
    .filter((file) => TEXTS.test(file) && !LEFT_OUT.test(file))
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(root, file), 'utf8').catch(() => '')
      return complaintsAbout(file, text)
    }),
  )
  return found.flat()
}

/** The complaints about one text, each with its place. */
export function complaintsAbout(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const place = `${file}:${index + 1}`
    const words = bannedWords.flatMap(({ pattern, instead }) => {
      const match = pattern.exec(line)
      return match === null ? [] : [`${place}: "${match[0]}" is not used here: ${instead}.`]
    })
    const comment = /\.(?:tsx?|mjs)$/.test(file) ? commentIn(line) : line
    const leadsOut = outwardReferences.some((pattern) => pattern.test(comment))
    const isWide = COMMENT_LINE.test(line) && line.length > COMMENT_COLUMNS && !/https?:/.test(line)
    return [
      ...words,
      ...(leadsOut ? [`${place}: refers to a page that is not in the repository.`] : []),
      ...(isWide && !file.endsWith('.md') ? [`${place}: over ${COMMENT_COLUMNS} columns.`] : []),
    ]
  })
}

const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/

function commentIn(line: string): string {
  if (COMMENT_LINE.test(line)) return line
  const at = line.indexOf(' // ')
  return at === -1 ? '' : line.slice(at)
}

// As a word or as part of a name (`laneBook`, `createLanes`), and not inside another ("plane").
function word(text: string): RegExp {
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  return new RegExp(
    `(?<![A-Za-z])${text}s?(?![a-z])|${capital}s?(?![a-z])|${text.toUpperCase()}S?(?![A-Z])`,
  )
}
