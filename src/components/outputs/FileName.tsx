import { splitCharacters } from '#src/lib/text.ts'

/** So much of the end tells one result of a video from the others: '-gif-upright.gif'. */
const END_CHARACTERS = 18
/** So many fit the narrowest card; two pieces are no longer one word for a search in the page. */
const WHOLE_CHARACTERS = 24

/**
 * The name of a result in one line. Where the line is too short it is cut in the middle: results
 * begin with the name of their video, and the end says which one it is.
 */
export function FileName({ fileName }: { readonly fileName: string }) {
  const characters = splitCharacters(fileName)
  if (characters.length <= WHOLE_CHARACTERS)
    return (
      <p className="truncate text-sm font-medium text-ink" title={fileName}>
        {fileName}
      </p>
    )
  return (
    <p className="flex text-sm font-medium whitespace-pre text-ink" title={fileName}>
      <span className="min-w-0 shrink-[9999] truncate">
        {characters.slice(0, -END_CHARACTERS).join('')}
      </span>
      <span className="min-w-0 truncate">{characters.slice(-END_CHARACTERS).join('')}</span>
    </p>
  )
}
