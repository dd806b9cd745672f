import { Spinner } from '#src/ui/Spinner.tsx'

/**
 * While nothing of the app is known yet. Invisible for its first moments, so that fast loads do not
 * flicker.
 */
export function LoadingScreen({ text }: { readonly text: string }) {
  return (
    <div
      role="status"
      className="flex min-h-[60dvh] flex-1 flex-wrap animate-fade content-center items-center justify-center gap-3 text-ink-muted [animation-delay:200ms] [animation-fill-mode:backwards]"
    >
      <Spinner className="size-6" />
      {text}
    </div>
  )
}
