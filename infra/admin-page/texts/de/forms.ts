import { said } from '../../said.ts';
import type * as en from '../en/forms.ts';

export const forms: typeof en.forms = {
  show: 'Anzeigen',
  stop: 'Abbrechen',
  back: 'Zurück',
  save: 'Speichern',
  saved: (value) => said`Eine andere Person hat „${value}“ gespeichert`,
  edit: (label) => `${label} bearbeiten`,
  none: 'keine Angabe',
  unknownOutcome:
    'Sie haben nicht auf die Antwort gewartet. Prüfen Sie, was geschehen ist, bevor Sie es noch einmal versuchen.',
  answer: () => 'Erledigt',
  draftKept: 'Entwurf aufbewahrt',
  discard: 'Verwerfen',
  close: 'Schließen',
  closeAllTheSame: 'Trotzdem schließen',
  dismiss: 'Ausblenden',
  copied: 'Kopiert',
  copyRefused: 'Der Browser kann es nicht kopieren: Markieren Sie die Texte oben.',
};
