/** Jeddah. Rows: `id|slug|name_ar|direction|lat,lng|other spellings`, parsed by `../gazetteer.ts`. */
export const JEDDAH = {
  jeddah: `
2001|al_shati|الشاطئ|N|21.600,39.115|الشاطىء;Ash Shatee;Al Shatea
2002|al_zahra|الزهراء|N|21.590,39.130|Al Zahraa
2003|al_nahdah|النهضة|N|21.620,39.125|Al Nahda
2004|al_naim|النعيم|N|21.630,39.145|Al Naeem
2005|al_salamah|السلامة|N|21.590,39.150|Al Salama
2006|al_bawadi|البوادي|N|21.600,39.170|Al Buwadi
2007|al_safa|الصفا|N|21.585,39.210|
2008|al_marwah|المروة|N|21.620,39.200|Al Marwa
2009|al_faisaliyah|الفيصلية|N|21.570,39.185|Al Faisaliah
2010|al_rabwah|الربوة|N|21.600,39.185|Al Rabwa
2011|al_rawdah|الروضة|N|21.565,39.155|Al Rawda
2012|al_khalidiyah|الخالدية|N|21.560,39.135|Al Khaldiyah
2013|al_andalus|الأندلس|N|21.540,39.140|Al Andalous
2014|al_hamra|الحمراء|W|21.525,39.165|Al Hamraa
2015|al_ruwais|الرويس|C|21.515,39.170|Al Ruwais;Al Rowais
2016|al_sharafiyah|الشرفية|C|21.520,39.185|Al Sharafia
2017|al_aziziyah|العزيزية|C|21.555,39.190|Al Aziziya
2018|mushrifah|مشرفة|C|21.540,39.195|Moshrefah;Musharifah;Mishrifah
2019|al_rihab|الرحاب|C|21.550,39.225|Al Rehab
2020|al_naseem|النسيم|C|21.520,39.230|Al Nasim
2021|al_fayha|الفيحاء|C|21.500,39.220|Al Faiha
2022|al_sulaymaniyah|السليمانية|E|21.505,39.250|Al Sulaimaniyah
2023|al_waha|الواحة|E|21.555,39.245|Al Wahah
2024|al_samer|السامر|E|21.580,39.245|Al Samir
2025|al_manar|المنار|E|21.600,39.235|
2026|al_ajwad|الأجواد|E|21.605,39.255|Al Ajwad
2027|al_hamdaniyah|الحمدانية|N|21.755,39.195|Al Hamadaniyah;Al Hamdania
2028|al_falah|الفلاح|N|21.780,39.190|
2029|al_rahmaniyah|الرحمانية|N|21.795,39.215|Al Rahmania
2030|al_salhiyah|الصالحية|N|21.765,39.225|Al Salehiyah
2032|taybah|طيبة|N|21.805,39.140|Taiba
2033|al_riyadh|الرياض|N|21.860,39.180|
2034|al_basatin|البساتين|N|21.685,39.115|Al Basateen
2035|al_muhammadiyah|المحمدية|N|21.650,39.125|Al Mohammadiyah;Al Mohammadiya
2036|al_murjan|المرجان|N|21.685,39.100|Al Morjan;Al Marjan
2037|abhur_al_shamaliyah|أبحر الشمالية|N|21.745,39.105|Obhur Al Shamaliyah;North Obhur;Abhur Ash Shamaliyah;Obhur North;Obhur Al Shamaliah
2038|abhur_al_janubiyah|أبحر الجنوبية|N|21.735,39.130|Obhur Al Janubiyah;South Obhur;Abhur Al Janubiyah;Obhur South;Obhur Al Janoubiyah;Obhur Al Junoobiah
2039|al_yaqut|الياقوت|N|21.785,39.080|Al Yaqoot
2040|al_zumurrud|الزمرد|N|21.800,39.055|Al Zomorod;Az Zomorod;Al Zumorrud
2041|al_lulu|اللؤلؤ|N|21.765,39.060|Al Loaloa;Al Lulu;Al Loloa;Al Luwlu
2042|al_firdaws|الفردوس|N|21.780,39.120|Al Firdous;Al Ferdous;Al Fardoos
2044|al_amwaj|الأمواج|N|21.750,39.075|
2045|al_shiraa|الشراع|N|21.765,39.095|Al Sheraa;Ash Shira
2046|al_sawari|الصواري|N|21.800,39.100|Al Sawari
2047|al_nur|النور|N|21.860,39.065|Al Noor;Al Nour
2048|al_marsa|المرسى|N||Al Marsa
2049|al_bahirat|البحيرات|N|21.830,39.040|Al Buhayrat;Al Bouhairat;Madinat Al Bohairat
2050|al_taawun|التعاون|N|21.355,39.270|
2051|al_wafa|الوفاء|N|21.840,39.230|
2052|al_kawthar|الكوثر|N|21.725,39.205|Al Kawther
2053|al_rayyan|الريان|N|21.685,39.210|Al Rayan;Al Rayaan
2054|bryman|بريمان|N|21.645,39.245|Briman;Buraiman;Bremen
2055|al_asalah|الأصالة|N|21.780,39.155|
2056|al_safwah|الصفوة|N|21.890,39.220|Al Safwa
2057|al_shuruq|الشروق|N|21.570,39.290|Al Shorouq
2058|al_hijaz|الحجاز|N|21.800,39.255|Al Hejaz
2059|al_furusiyah|الفروسية|S|21.820,39.205|Al Forousiya;Al Frosyah
2060|al_ajawid|الأجاويد|S|21.405,39.310|Al Ajaweed
2061|al_sanabil|السنابل|S|21.390,39.275|Al Sanabel
2062|al_huda|الهدى|S|21.375,39.305|
2063|al_khumrah|الخمرة|S|21.355,39.245|Al Khomrah
2064|al_wazeeriyah|الوزيرية|S|21.445,39.230|Al Waziriyah;Al Waziriya
2065|al_thaghr|الثغر|S|21.480,39.230|Al Thagher
2066|al_jamiah|الجامعة|S|21.475,39.250|Al Jamea;Al Jamiaa
2067|al_adl|العدل|S|21.445,39.295|Al Adel
2068|al_amir_fawaz_al_shamali|الأمير فواز الشمالي|S|21.435,39.300|Prince Fawaz North;North Prince Fawaz;Al Ameer Fawaz Al Shamaly
2069|al_amir_fawaz_al_janubi|الأمير فواز الجنوبي|S|21.425,39.290|Prince Fawaz South;South Prince Fawaz;Al Ameer Fawaz Al Janouby
2070|al_amir_abdulmajid|الأمير عبدالمجيد|S|21.420,39.275|Prince Abdul Majeed;Prince Abdulmajeed;Al Amir Abdulmajeed;Al Ameer Abdulmajeed
2072|al_nuzlah_al_yamaniyah|النزلة اليمانية|C|21.470,39.210|Al Nazlah Al Yamaniyah;An Nazlah Al Yamaniyah
2073|al_nuzlah_al_sharqiyah|النزلة الشرقية|C|21.475,39.220|Al Nazlah Al Sharqiyah;An Nazlah Ash Sharqiyah
2074|ghulail|غليل|S|21.455,39.205|Ghulayl;Ghuleil
2075|petromin|بترومين|S|21.445,39.180|Betromin;Petromeen
2076|al_mahjar|المحجر|S|21.430,39.205|Al Mahjer
2077|madain_al_fahd|مدائن الفهد|S|21.460,39.240|Madayen Al Fahad;Madain Al Fahad
2078|al_quraiyat|القريات|S|21.465,39.200|Al Qurayat;Al Qurayyat
2079|al_sabeel|السبيل|C|21.480,39.200|As Sabil
2080|al_hindawiyah|الهنداوية|C|21.475,39.180|Al Hindawiya
2081|al_balad|البلد|C|21.485,39.185|Al Balad;البلد التاريخية
2082|al_sahifah|الصحيفة|C|21.490,39.195|As Sahifah
2083|al_kandarah|الكندرة|C|21.490,39.200|Al Kandara
2084|al_baghdadiyah_al_gharbiyah|البغدادية الغربية|C|21.500,39.180|West Al Baghdadiyah;Al Baghdadiyah West;Al Baghdadia Al Gharbia
2085|al_baghdadiyah_al_sharqiyah|البغدادية الشرقية|C|21.500,39.190|East Al Baghdadiyah;Al Baghdadiyah East;Al Baghdadia Al Sharqia;البغددية الشرقية
2086|al_ammariyah|العمارية|C|21.490,39.190|Al Amariyah
2087|bani_malik|بني مالك|C|21.530,39.220|Bani Malek
2088|al_wurud|الورود|C|21.515,39.205|Al Woroud;Al Wuroud
2089|al_thaalibah|الثعالبة|C|21.465,39.185|Al Thaaliba
2091|quwaizah|قويزة|E||Quwaiza;Qouizah;Gowaizah
2092|al_rawabi|الروابي|E|21.470,39.270|
2093|al_muntazahat|المنتزهات|E|21.465,39.290|Al Montazahat;Al Muntazah
2094|umm_al_salam|أم السلم|E|21.460,39.325|Um Al Salam;Umm As Salam;ام السلام;Um Assalum
2095|al_harazat|الحرازات|E|21.505,39.400|Al Harazat;Al Haramain
2096|al_tawfiq|التوفيق|E||Al Tawfeeq
2097|al_nakheel|النخيل|E|21.535,39.265|Al Nakhil
2098|king_abdulaziz_university|جامعة الملك عبدالعزيز|C|21.495,39.245|KAU;King Abdul Aziz University
2099|al_rughamah|الرغامة|E|21.500,39.285|Al Raghama;Al Raghamah;Abruq Al Rughamah;أبرق الرغامة
2100|airport|مطار الملك عبدالعزيز الدولي|N|21.700,39.165|المطار;King Abdulaziz International Airport;Airport
2102|al_fadilah|الفضيلة|S|21.305,39.275|Al Fadeylah;Al Fadila
2103|al_rahmah|الرحمة|S|21.270,39.310|
2104|al_qawzayn|القوزين|S|21.255,39.170|Al Qouzeen;Al Qozeen
2105|al_sarooriyah|السرورية|S|21.390,39.210|Al Sarawriyah;Al Sarouriyah
2108|al_wadi|الوادي|N|21.305,39.170|
2109|al_mraykh|مريخ|N|21.540,39.310|Mraykh;Meraikh;Mirrikh;Miriykh
2110|al_ghadir|الغدير|N|21.925,39.050|Al Ghadeer
2111|al_mahamid|المحاميد|S|21.450,39.400|Al Mahameed
2112|al_tadamun|التضامن|S|21.340,39.305|Al Tadamon
2113|al_durrah|الدرة|N|21.955,39.030|درة العروس;Durrat Al Arus;Durat Al Arous
2114|dahaban|ذهبان|N|21.935,39.115|Thahban;Dhahban;بلدة ذهبان
2115|al_bashair|البشائر|N|21.805,39.175|Al Bashaer
2116|al_nuzha|النزهة|N|21.625,39.165|Al Nozha
2118|al_nada|الندى|N||Al Nada
2120|al_mursalat|المرسلات|N|21.410,39.400|
2121|al_barakah|البركة|S|21.265,39.285|Al Baraka
2122|al_montazah|المنتزه|E|21.595,39.285|
2125|industrial_area|المدينة الصناعية|S|21.400,39.235|Industrial City
2126|umm_hablayn_al_gharbiyah|أم حبلين الغربية|N|21.710,39.240|Umm Hablain Al Gharbia;Um Hableen Al Gharbiyyah
2127|umm_hablayn_al_sharqiyah|أم حبلين الشرقية|N|21.745,39.275|Umm Hablain Al Sharqia;Um Hableen Al Sharqiyyah
2128|al_faruq|الفاروق|S|21.450,39.270|Al Farouk
2129|al_shifa|الشفا|S|21.380,39.335|Al Shefaa
2130|al_karamah|الكرامة|S|21.305,39.310|
2131|al_masarrah|المسرة|S|21.270,39.245|Al Masarah
2132|al_mulaysa|المليساء|S|21.260,39.210|Al Moulysaa
2133|al_sarawat|السروات|S|21.350,39.210|
2134|al_dahiyah|الضاحية|S|21.305,39.210|Al Dahiah
2135|al_qurayniyah|القرينية|S|21.305,39.245|Al Qryniah;Al Qurainiah
2136|al_sahil|الساحل|S|21.300,39.130|
2137|al_jawharah|الجوهرة|S|21.430,39.250|Al Jawhara
2138|al_fadl|الفضل|S|21.435,39.325|Al Fadel
2139|bahrah|بحرة|E|21.410,39.470|Bahra
2140|al_fanar|الفنار|N|21.830,39.070|
2141|al_sahl|السهل|E|21.370,39.445|
2142|al_manarat|المنارات|N|21.830,39.100|
2143|al_rabi|الربيع|N|21.940,38.985|Al Rabie
2144|al_mustaqbal|المستقبل|S|21.330,39.365|
2145|al_najmah|النجمة|N|21.895,39.070|Al Najma
2146|al_qaws|القوس|E|21.530,39.360|Al Qus
2147|al_talal|التلال|E|21.645,39.290|Al Tilal
2148|al_muruj|المروج|N|21.870,38.990|Al Morouj;Al Morouj Scheme
2149|al_khalij|الخليج|N|21.880,39.040|Al Khaleej
2150|al_zuhur|الزهور|N|21.895,39.105|Al Zohour
2151|al_asla|العسلاء|E|21.610,39.310|
2152|al_aqiq|العقيق|N|21.945,39.085|Al Aqeeq
2153|al_furqan|الفرقان|N|21.980,39.095|
2154|al_rawasi|الرواسي|E|21.685,39.280|
2155|quba|قباء|N|21.825,39.125|
2156|al_budur|البدور|N|21.850,39.270|
2157|al_yusr|اليسر|N|21.975,39.065|
2158|al_abir|العبير|N|21.950,39.060|Al Abeer
2159|al_shuwaydi|الشويضي|N|21.920,39.080|Al Shuwaidi;Al Shuwaidhi
2160|al_gharbiyah|الغربية|N|21.910,39.110|Al Gharbia
2161|al_jazirah|الجزيرة|N||Al Jazeera;Al Jazeera Scheme
2162|al_rabiyah|الرابية|N||
2163|al_majd|المجد|||
2164|al_wadad|الوداد|||
2166|jawharat_thuwal|جوهرة ثول|||
2167|al_sharai|الشرائع|||
2168|al_hijrah|الهجرة|||
2169|al_uwaija|العويجاء|||
2170|umm_sidrah|أم سدرة|||
2171|al_hada|الهدا|||
2172|al_bawadir|البوادر|||
2173|al_bayan|البيان|||
2174|al_ashiriyah|العشيرية|||
2175|al_wisam|الوسام|||
2176|thuwal|ثول|||بلدة ثول
2177|al_sharqiyah|الشرقية|||
`,
};
