import { dollars, tokens } from './token-words.ts'

/** Tokens and what they are worth, as numbers stand at the end of a line: '300 tokens $3.00'. */
export function Amount({ coinAmount }: { readonly coinAmount: number }) {
  return (
    <span className="flex max-w-full shrink-0 flex-col items-end text-right tabular-nums sm:flex-row sm:items-baseline sm:gap-2">
      <span>{tokens(coinAmount)}</span>
      <span className="text-sm font-normal text-ink-muted">{dollars(coinAmount)}</span>
    </span>
  )
}
