let audio: AudioContext | null = null;
/** A tone that the browser allows only later than this would be about nothing on the screen any more. */
const LATE_MS = 500;

/**
 * Asks the browser to allow sounds from now on. WebKit does so only within a press, so an ending order can't ask. Has no
 * effect in a browser without sound.
 */
export function allowSound(): void {
  awaken().catch(() => undefined);
}

/** Plays one short, soft tone, the same for every outcome. Silent if the browser doesn't allow sound yet. */
export async function chime(): Promise<void> {
  const late = new Promise<null>((resolve) => {
    setTimeout(resolve, LATE_MS, null);
  });
  const allowed = await Promise.race([awaken(), late]).catch(() => null);
  if (allowed === null) return;
  const tone = allowed.createOscillator();
  const loudness = allowed.createGain();
  const from = allowed.currentTime;
  tone.frequency.value = 660;
  loudness.gain.setValueAtTime(0.0001, from);
  loudness.gain.exponentialRampToValueAtTime(0.12, from + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, from + 0.35);
  tone.connect(loudness).connect(allowed.destination);
  tone.start(from);
  tone.stop(from + 0.4);
}

/** Resumes the page's audio, at once if it is called within a press; may wait for one without end otherwise. */
async function awaken(): Promise<AudioContext> {
  audio ??= new AudioContext();
  if (audio.state !== "running") await audio.resume();
  return audio;
}
