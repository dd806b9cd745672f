import { useState } from 'react'
import { useAfter } from '#src/hooks/clock/use-after.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** The document says within this time that it is ready, or counts as not loaded. */
const READY_WITHIN_MS = 15 * SECOND_MS

type Stage = 'loading' | 'ready' | 'unloaded'

/** How far the document of a cloud is: one that says nothing in time has not loaded. */
export function useFrameStage() {
  const [stage, setStage] = useState<Stage>('loading')
  useAfter(stage === 'loading' ? READY_WITHIN_MS : null, () => setStage('unloaded'))
  return { stage, setStage }
}

export type FrameStage = ReturnType<typeof useFrameStage>
