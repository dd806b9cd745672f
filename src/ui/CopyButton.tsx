import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button, type ButtonProps } from './Button.tsx'

export interface CopyButtonProps {
  /** What the button says before anything is copied. */
  readonly label: string
  /** Made when the button is pressed. */
  readonly text: () => string
  readonly size?: NonNullable<ButtonProps['size']>
  /** Filled where copying is what the person came for. */
  readonly variant?: NonNullable<ButtonProps['variant']>
}

type Outcome = 'copied' | 'refused'

const SAID: Readonly<Record<Outcome, string>> = {
  copied: 'Copied',
  refused: 'The browser did not allow copying',
}

/** Copies a text and then says so, also when the browser refuses. */
export function CopyButton({ label, text, size, variant = 'secondary' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const copy = () =>
    void navigator.clipboard.writeText(text()).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    )
  return (
    <Button variant={variant} onPress={copy} {...(size === undefined ? {} : { size })}>
      <Copy aria-hidden className="size-4.5" />
      {outcome === null ? label : SAID[outcome]}
    </Button>
  )
}
