const wordsIn = (text: string) => text.split(' ');

/** Names of months in Unicode's data (CLDR) for Czech, Danish, Dutch, English, Finnish, French, German, Hungarian, Italian,
 * Norwegian, Polish, Portuguese, Russian, Spanish, Swedish and Turkish. They are fixed: other data must read the same CSV. */
export const MONTHS: ReadonlySet<string> = new Set(
  wordsIn(
    'abr abril ago agosto août apr april aprile ara aralık aug august augusti augustus augusztus avr ' +
      'avril ağu ağustos bře březen března cze czerwca czerwiec dec december des desember dez dezember ' +
      'dezembro dic dicembre diciembre dub duben dubna déc décembre eki ekim elo elokuu elokuuta ene enero ' +
      'eyl eylül feb febbraio febr febrero februar februari february február fev fevereiro févr février gen ' +
      'gennaio giu giugno gru grudnia grudzień haz haziran heinä heinäkuu heinäkuuta helmi helmikuu ' +
      'helmikuuta huhti huhtikuu huhtikuuta jan janeiro januar januari january január janv janvier joulu ' +
      'joulukuu joulukuuta juil juillet juin jul julho juli julio july jun june junho juni junio jän jänner ' +
      'júl július jún június kas kasım kesä kesäkuu kesäkuuta kvě květen května kwi kwiecień kwietnia led ' +
      'leden ledna lip lipca lipiec lis listopad listopada listopadu loka lokakuu lokakuuta lug luglio lut ' +
      'lutego luty maalis maaliskuu maaliskuuta maart mag maggio mai maio maj maja mar marca march marras ' +
      'marraskuu marraskuuta mars mart marts marzec marzo março may mayo mayıs mei mrt mrz máj május márc ' +
      'március mär märz nis nisan nov november novembre novembro noviembre oca ocak oct october octobre ' +
      'octubre okt oktober október ott ottobre out outubro paź październik października pro prosince ' +
      'prosinec sep sept september septembre septiembre set setembro settembre sie sierpień sierpnia srp ' +
      'srpen srpna sty styczeń stycznia syys syyskuu syyskuuta szept szeptember tammi tammikuu tammikuuta ' +
      'tem temmuz touko toukokuu toukokuuta wrz wrzesień września zář září ápr április úno únor února ' +
      'červen července červenec června čvc čvn říj říjen října şub şubat авг август августа апр апрель ' +
      'апреля дек декабрь декабря июл июль июля июн июнь июня май мар март марта мая нояб ноябрь ноября окт ' +
      'октябрь октября сент сентябрь сентября февр февраль февраля янв январь января',
  ),
);

/** True and false in spreadsheets of these languages, and Greek, Romanian and Ukrainian. */
export const TRUE: ReadonlySet<string> = new Set(
  wordsIn(
    'true wahr vrai verdadero vero verdadeiro waar sant sand sann tosi prawda pravda igaz doğru истина істина αληθής adevărat',
  ),
);
export const FALSE: ReadonlySet<string> = new Set(
  wordsIn(
    'false falsch faux falso onwaar falskt falsk usann epätosi fałsz nepravda hamis yanlış ложь хибність ψευδής fals',
  ),
);
