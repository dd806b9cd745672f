import { useEffect, useState, type ReactNode } from 'react'
import { useFormPath } from '#src/components/assets/for-path.ts'
import {
  useOptionsDraft,
  useOptionsDraftActions,
  type OptionsDraft,
} from '#src/hooks/edits/use-options-draft.ts'

interface KeptOptionsProps {
  readonly slug: string
  /** Called with true once the form is drawn, and with false when it goes. */
  readonly onDrawn: (isDrawn: boolean) => void
  /** Draws the form with what it held when it was left; null when it begins without. */
  readonly children: (kept: OptionsDraft | null, forget: () => void) => ReactNode
}

/** Reads what a form held when it was left to upload an asset, before the form is drawn. */
export function KeptOptions({ slug, onDrawn, children }: KeptOptionsProps) {
  const formPath = useFormPath()
  const draft = useOptionsDraft(formPath)
  const { forget } = useOptionsDraftActions(formPath)
  const [first, setFirst] = useState<{ readonly kept: OptionsDraft | null } | null>(null)
  if (first === null && draft.kind !== 'loading')
    setFirst({
      kept: draft.kind === 'ready' && draft.value?.slug === slug ? draft.value : null,
    })
  const isDrawn = first !== null
  useEffect(() => {
    if (!isDrawn) return undefined
    onDrawn(true)
    return () => onDrawn(false)
  }, [isDrawn, onDrawn])
  return first === null ? null : children(first.kept, () => void forget())
}
