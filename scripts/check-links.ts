import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'

const TEXTS = /\.(?:tsx?|mjs|md|yaml)$/
/** A link of a document, relative to it: `[text](path#anchor)`. Addresses have a scheme. */
const MARKDOWN_LINK = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g
/** A test that a document names from the root. Of other files, documents name examples, too. */
const NAMED_TEST = /`(tests\/[\w./-]+\.tsx?)`/g
/** A document that a comment names from the root: `docs/decisions/README.md#decision-records`. */
const NAMED_DOCUMENT = /\b(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g

/**
 * One line for each link of a document, each test named in one, and each document named in code
 * that leads to no file of the repository, or to no heading of that file.
 */
export async function checkLinks(root: string): Promise<string[]> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  const paths = String(listed).split('\n').filter(Boolean)
  const texts = new Map<string, string>()
  for (const path of paths.filter((each) => TEXTS.test(each)))
    texts.set(path, await readFile(join(root, path), 'utf8').catch(() => ''))
  const places = new Set(paths.flatMap((path) => [path, ...foldersOf(path)]))
  return [...texts].flatMap(([file, text]) =>
    linksIn(file, text).flatMap(({ path, anchor }) => {
      if (!places.has(path)) return [`${file}: ${path} does not exist.`]
      if (anchor === null || anchorsOf(texts.get(path) ?? '').has(anchor)) return []
      return [`${file}: ${path} has no heading #${anchor}.`]
    }),
  )
}

/** The places in the repository that a text links to, as paths from the root. */
export function linksIn(
  file: string,
  text: string,
): readonly { readonly path: string; readonly anchor: string | null }[] {
  const isDocument = file.endsWith('.md')
  const named = [...text.matchAll(isDocument ? NAMED_TEST : NAMED_DOCUMENT)]
  const links = isDocument ? [...text.matchAll(MARKDOWN_LINK)] : []
  return [
    ...links.map(([, path = '', anchor]) => ({ path: from(file, path), anchor: anchor ?? null })),
    ...named.map(([, path = '', anchor]) => ({ path, anchor: anchor ?? null })),
  ]
}

/** The anchors of a document's headings, as GitHub makes them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

// A link without a path is a place in the document itself.
function from(file: string, path: string): string {
  return path === '' ? file : normalize(join(dirname(file), path)).replace(/\/$/, '')
}

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
