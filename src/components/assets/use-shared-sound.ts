import { useEffect, useRef, useState } from 'react'
import { useToasts } from '#src/ui/toasts-context.ts'

/** One player for all sounds of the page: starting one stops another. */
export interface SharedSound {
  /** Id of what is heard now; null in silence. */
  readonly playingId: string | null
  /** Plays a sound from its beginning, or stops it if it is the one that is heard. */
  readonly toggle: (soundId: string, url: string) => void
}

export function useSharedSound(): SharedSound {
  const toasts = useToasts()
  const [playingId, setPlayingId] = useState<string | null>(null)
  const player = useRef<HTMLAudioElement | null>(null)
  useEffect(() => {
    const sound = new Audio()
    const end = () => setPlayingId(null)
    sound.addEventListener('ended', end)
    player.current = sound
    return () => {
      sound.removeEventListener('ended', end)
      sound.pause()
    }
  }, [])
  const play = async (soundId: string, url: string) => {
    setPlayingId(soundId)
    try {
      player.current?.setAttribute('src', url)
      await player.current?.play()
    } catch (thrown) {
      // Another sound took its place, or it was stopped before it began.
      if (thrown instanceof DOMException && thrown.name === 'AbortError') return
      setPlayingId(null)
      toasts.show('error', 'This sound cannot be played now. Check your connection and try again.')
    }
  }
  return {
    playingId,
    toggle: (soundId, url) => {
      player.current?.pause()
      if (soundId === playingId) setPlayingId(null)
      else void play(soundId, url)
    },
  }
}
