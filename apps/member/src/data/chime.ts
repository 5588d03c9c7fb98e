let audio: AudioContext | null = null;

/** Plays one short, soft tone, the same for every outcome. Silent if the browser doesn't allow sound yet. */
export async function chime(): Promise<void> {
  audio ??= new AudioContext();
  try {
    await audio.resume();
  } catch {
    return;
  }
  const tone = audio.createOscillator();
  const loudness = audio.createGain();
  const from = audio.currentTime;
  tone.frequency.value = 660;
  loudness.gain.setValueAtTime(0.0001, from);
  loudness.gain.exponentialRampToValueAtTime(0.12, from + 0.02);
  loudness.gain.exponentialRampToValueAtTime(0.0001, from + 0.35);
  tone.connect(loudness).connect(audio.destination);
  tone.start(from);
  tone.stop(from + 0.4);
}
