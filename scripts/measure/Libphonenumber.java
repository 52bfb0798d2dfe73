// For scripts/measure/numbers: what `NumberOracle --measure` prints, of libphonenumber in Java.
import com.google.i18n.phonenumbers.AsYouTypeFormatter;
import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.Phonenumber.PhoneNumber;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;

class Libphonenumber {
    static boolean read(String[] question) {
        try {
            PhoneNumberUtil util = PhoneNumberUtil.getInstance();
            PhoneNumber number = util.parse(question[1], question[0]);
            return util.isValidNumber(number) && util.getNumberType(number) != null;
        } catch (NumberParseException exception) {
            return false;
        }
    }

    static double microseconds() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e3;
    }

    public static void main(String[] arguments) {
        int rounds = 20;
        List<String[]> questions = new Scanner(System.in).useDelimiter("\n").tokens().map(line -> line.split("\t")).toList();
        double start = microseconds();
        read(questions.get(0));
        double first = microseconds() - start;
        // The compiler of the virtual machine needs some rounds before.
        for (int round = 0; round < rounds; ++round) questions.forEach(Libphonenumber::read);
        long valid = questions.stream().filter(Libphonenumber::read).count();
        start = microseconds();
        for (int round = 0; round < rounds; ++round) questions.forEach(Libphonenumber::read);
        double each = (microseconds() - start) / rounds / questions.size();
        start = microseconds();
        int keys = 0;
        for (String[] question : questions) {
            AsYouTypeFormatter formatter = PhoneNumberUtil.getInstance().getAsYouTypeFormatter(question[0]);
            for (char character : question[1].toCharArray())
                if (Character.isDigit(character)) {
                    formatter.inputDigit(character);
                    ++keys;
                }
        }
        double key = (microseconds() - start) / keys;
        System.out.printf(Locale.ROOT, "%d %f %f %f%n", valid, first / 1e3, each, key);
    }
}
