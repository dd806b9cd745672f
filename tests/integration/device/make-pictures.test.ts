import { describeMadePictures } from '#tests/suites/made-pictures.ts'

// The soak makes all such formats, of larger videos.
describeMadePictures(['still-pack', 'social-media-gif-pack'], 'small.mp4')
