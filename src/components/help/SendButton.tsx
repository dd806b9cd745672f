import type { CallName } from '#src/api/call-limits.ts'
import { Button, type ButtonProps } from '#src/ui/Button.tsx'
import { useNotYet } from './use-not-yet.ts'

export interface SendButtonProps extends Omit<ButtonProps, 'notYet'> {
  /** The calls that a press makes. */
  readonly sends: CallName | readonly CallName[]
}

/**
 * A button that sends to the server. While the server refuses the call because it came too often,
 * the button takes no press, keeps the focus, and says beside it from when on it does.
 */
export function SendButton({ sends, ...button }: SendButtonProps) {
  const notYet = useNotYet(...[sends].flat())
  return <Button {...button} notYet={notYet} />
}
